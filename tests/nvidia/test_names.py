import pytest

from hipify.mapping import Database, MappingEntry
from hipify.nvidia.headers import LISTS, defined_by_hand, headers
from hipify.nvidia.names import Name, reversed_names, version_number


@pytest.fixture(scope="module")
def names() -> dict[str, Name]:
    return {name.hip: name for name in reversed_names(Database.load(), LISTS["runtime"])}


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    return {path: data.decode() for path, data in headers(Database.load()).items()}


def best(name: Name) -> MappingEntry:
    return name.alternatives[0].entry


@pytest.mark.parametrize(
    ("text", "number"),
    [("12.2", 12020), ("13.0", 13000), ("11.8", 11080), ("12.10", 12100), (None, 0), (True, 0)],
)
def test_versions_are_numbers_as_cuda_has_them(text: object, number: int) -> None:
    assert version_number(text) == number


@pytest.mark.parametrize(
    ("hip", "cuda"),
    [
        ("hipMalloc", "cudaMalloc"),  # and cuMemAlloc: the runtime comes first
        ("hipDeviceSynchronize", "cudaDeviceSynchronize"),  # and cudaThreadSynchronize, deprecated
        ("hipStream_t", "cudaStream_t"),
        ("hipModuleLoad", "cuModuleLoad"),
        ("hipFunction_t", "cudaFunction_t"),
    ],
)
def test_the_best_of_several_cuda_names(names: dict[str, Name], hip: str, cuda: str) -> None:
    assert best(names[hip]).cuda == cuda


def test_a_name_that_came_later_is_guarded(names: dict[str, Name]) -> None:
    conditions = [one.condition for one in names["hipGraphInstantiateParams"].alternatives]
    assert conditions[0] == "CUDART_VERSION >= 12000"


def test_an_older_name_serves_older_versions(names: dict[str, Name]) -> None:
    first, second = names["hipJitOption"].alternatives
    assert (first.entry.cuda, first.condition) == ("cudaJitOption", "CUDART_VERSION >= 12080")
    assert (second.entry.cuda, second.condition) == ("CUjit_option", "")


def test_plain_types_and_names_of_cuda_are_never_redefined() -> None:
    database = Database.load()
    for libraries in LISTS.values():
        for name in reversed_names(database, libraries):
            assert name.hip not in ("int", "float", "double")
            assert database.get(name.hip) is None, name.hip


def test_functions_of_the_driver_return_hip_errors(written: dict[str, str]) -> None:
    text = written["hip_on_cuda/names/runtime.h"]
    assert "#define hipModuleLoad HIP_ON_CUDA_DRIVER(cuModuleLoad)\n" in text
    assert "#define hipFunction_t cudaFunction_t\n" in text
    assert "#define hipMalloc cudaMalloc\n" in text


def test_what_is_written_by_hand_is_not_generated(written: dict[str, str]) -> None:
    text = written["hip_on_cuda/names/runtime.h"]
    for name in (
        "hipDeviceProp_t",
        "hipDeviceptr_t",
        "hipHostMalloc",
        "hipMemAdvise",
        "hipGetErrorName",
    ):
        assert f"#define {name} " not in text


def test_definitions_in_a_header_are_found() -> None:
    text = (
        "typedef void *hipA;\n#define hipB(x) x\nstruct hipC : base {\n"
        "inline cudaError_t hipD(int *a) {\ntemplate <typename T>\ninline cudaError_t hipE(T **a) {\n"
        "typedef struct hipF {\n"
    )
    assert {"hipA", "hipB", "hipC", "hipD", "hipE", "hipF"} <= defined_by_hand([text])


@pytest.mark.parametrize("title", LISTS)
def test_every_if_is_closed_and_every_header_guarded(written: dict[str, str], title: str) -> None:
    text = written[f"hip_on_cuda/names/{title}.h"]
    words = [line.split()[0] for line in text.splitlines() if line.startswith("#")]
    opened = sum(word in ("#if", "#ifndef") for word in words)
    assert opened == words.count("#endif")
    assert words[:2] == ["#ifndef", "#define"]


def test_every_include_of_ours_is_there(written: dict[str, str]) -> None:
    import re

    ours = re.compile(r"#include <((?:hip|hip_on_cuda|hipcub|hipblas|rccl)/[^>]+)>")
    wanted = {name for text in written.values() for name in ours.findall(text)}
    assert wanted
    assert wanted <= written.keys()


def test_names_of_errors_are_hips(written: dict[str, str]) -> None:
    text = written["hip_on_cuda/names/errors.h"]
    assert '{static_cast<int>(cudaErrorInvalidValue), "hipErrorInvalidValue"}' in text
    assert '"cudaError' not in text
