"""DLA: how library names are used."""
