import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/testing/global-setup.ts'],
    setupFiles: ['test/testing/setup-file.ts'],
    // Importing the server takes longer than most test files: the files of a worker share its modules.
    isolate: false,
    // Starting a server or a browser of the outside world is slow on a busy machine; a test that hangs still ends.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The server is executed as it is, by Node; so are its tests: no bundling of our own or of packages.
    pool: 'forks',
    // Half of two cores would be one worker, which waits for PostgreSQL while a core idles: two workers take 4% more
    // CPU time and half of the time on the clock.
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
  },
})
