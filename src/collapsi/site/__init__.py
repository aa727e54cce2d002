"""The page without a service: a folder of plain files, answered in the browser by this same library.

`build` writes the folder. In the browser `answering` reads each question and has it answered (`web.asked`),
`kernels` calls the search, which `translate` has put into C and a compiler into WebAssembly, and `examples`
stands in for the census.
"""
