/**
 * Keeps compiled modules between starts: loading the server takes about two thirds of the startup time. Import it
 * first; only modules that are loaded later by `import()` are cached. Under `npm start` the cache is on from the
 * beginning (`server/process.json`).
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'))
