export default async function init(url) {
    const imports = __wbg_get_imports();
    let made;
    try {
        made = await WebAssembly.instantiateStreaming(fetch(url), imports);
    } catch {
        // A server that names the file's type wrongly, or a browser that cannot compile while it loads.
        made = await WebAssembly.instantiate(await (await fetch(url)).arrayBuffer(), imports);
    }
    __wbg_finalize_init(made.instance, made.module);
}
