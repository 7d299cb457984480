"""AMD's command lines, option for option, over our translators."""
