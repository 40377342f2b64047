import { defineConfig } from 'vitest/config'

// Each file has a VM context of its own in a shared thread: half of the CPU time of a process per file.
export default defineConfig({ test: { include: ['test/**/*.test.ts'], environment: 'node', pool: 'vmThreads' } })
