# Packages for Debian: `cpack -G DEB` in a build folder that was configured with -DCMAKE_INSTALL_PREFIX=/usr.
#
# libpunctual0.1 has what programs need to run, and libpunctual-dev what they need to be built.
set(CPACK_PACKAGE_CONTACT "Punctual's developers <nobody@localhost>" CACHE STRING "Who makes the packages, as Name <address>")
set(CPACK_PACKAGE_VENDOR Punctual)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Timed waiting that can be trusted")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF)
set(CPACK_COMPONENTS_ALL runtime development)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libpunctual0.1)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpunctual-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libpunctual0.1 (= ${PROJECT_VERSION})")
include(CPack)
