/** The server's process: `node server/src/main.ts [--role web|worker|all]`. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Only modules that are imported after this call are cached, hence the dynamic import.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'))
const { serve } = await import('./serve.ts')

await serve({ say: (line) => console.log(line), complain: (line) => console.error(line) })
