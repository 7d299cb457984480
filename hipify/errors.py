"""The errors that hipify reports to its user instead of a traceback."""


class HipifyError(Exception):
    """Base of all errors that a user can cause and mend; the CLI prints it and exits with 2."""


class UsageError(HipifyError):
    """An option, a path or a combination of them that makes no sense."""


class ConfigError(HipifyError):
    """A configuration file that cannot be read or holds an unknown or ill-typed setting."""


class MappingError(HipifyError):
    """A mapping database that is missing, unreadable or invalid."""


class EditConflictError(HipifyError):
    """Two edits of one file overlap and differ; the file is left as it was."""


class SourceError(HipifyError):
    """A source file that cannot be read, decoded or written."""


class ToolchainError(HipifyError):
    """No usable compiler, or a toolchain that could not be provisioned."""
