import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { temporaryFolder } from './test/testing/memory-folder.ts'

// Inherited by the workers and the servers that they start.
process.env.TMPDIR = temporaryFolder()
// The calls that all test files have made, for the comparison at the end of the run.
process.env.WATCHED_CALLS = join(process.env.TMPDIR, `waybill-calls-${process.pid}`)

/** Tests that measure the event loop and the memory of their process: each file gets a process of its own. */
const measuring = ['test/hostile/**/*.test.ts']

export default defineConfig({
  test: {
    globalSetup: ['test/testing/global-setup.ts'],
    // The server is executed as it is, by Node; so are its tests: no bundling of our own or of packages.
    pool: 'forks',
    // Half of two cores would be one worker, which waits for PostgreSQL while a core idles: two workers take 4% more
    // CPU time and half of the time on the clock.
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    setupFiles: ['test/testing/setup-file.ts'],
    // Starting a server or a browser of the outside world is slow on a busy machine; a test that hangs still ends.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['test/**/*.test.ts'],
          exclude: measuring,
          // Importing the server takes longer than most test files: the files of a worker share its modules.
          isolate: false,
        },
      },
      // In a worker that ran a hundred files before, collecting their garbage stops the event loop for 200 ms.
      { extends: true, test: { name: 'hostile', include: measuring, isolate: true } },
    ],
  },
})
