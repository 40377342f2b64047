/** The server's process: `node server/src/main.ts [--role web|worker|all]`. */
import './compile-cache.ts'

const { serve } = await import('./serve.ts')

await serve({ say: (line) => console.log(line), complain: (line) => console.error(line) })
