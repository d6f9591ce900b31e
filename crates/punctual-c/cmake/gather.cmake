# Puts the libraries that Cargo has built in FROM into TO, under the names that programs look for.
file(MAKE_DIRECTORY "${TO}")
configure_file("${FROM}/${STATIC_PREFIX}punctual_c${STATIC_SUFFIX}" "${TO}/${STATIC_FILE}" COPYONLY)
if(SHARED_FILE)
  configure_file("${FROM}/libpunctual_c${SHARED_SUFFIX}" "${TO}/${SHARED_FILE}" COPYONLY)
  foreach(link IN LISTS SHARED_LINKS)
    file(CREATE_LINK "${SHARED_FILE}" "${TO}/${link}" SYMBOLIC)
  endforeach()
endif()
