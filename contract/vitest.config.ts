import { defineConfig } from 'vitest/config'

// Each file has a VM context of its own in a shared thread, as in `web`.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], pool: 'vmThreads' } })
