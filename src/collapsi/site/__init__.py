"""The static page: a folder of plain files in which this library runs in the browser, without a service.

`build` writes the folder, with the modules that `modules` finds. In the browser `answering` parses each
request and calls `collapsi.api`; `kernels` calls the search, which `translate` has translated to C and `wasm`
has compiled to WebAssembly; `examples` replaces the census.
"""
