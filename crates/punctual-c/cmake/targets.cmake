# The targets that programs link: the libraries in PUNCTUAL_LIBRARIES, the headers in PUNCTUAL_INCLUDE.
add_library(punctual_static_library STATIC IMPORTED GLOBAL)
set_target_properties(punctual_static_library PROPERTIES
  IMPORTED_LOCATION "${PUNCTUAL_LIBRARIES}/${punctual_static_file}"
  INTERFACE_INCLUDE_DIRECTORIES "${PUNCTUAL_INCLUDE}"
  INTERFACE_LINK_LIBRARIES "${punctual_system_libraries}")
add_library(punctual::static ALIAS punctual_static_library)

if(punctual_shared_file)
  add_library(punctual_shared_library SHARED IMPORTED GLOBAL)
  set_target_properties(punctual_shared_library PROPERTIES
    IMPORTED_LOCATION "${PUNCTUAL_LIBRARIES}/${punctual_shared_file}"
    IMPORTED_SONAME "${punctual_soname}"
    INTERFACE_INCLUDE_DIRECTORIES "${PUNCTUAL_INCLUDE}")
  add_library(punctual::punctual ALIAS punctual_shared_library)
else()
  add_library(punctual::punctual ALIAS punctual_static_library)
endif()
