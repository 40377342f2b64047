// Runs before each test file, even if the files of a worker share their modules.
import { afterAll } from 'vitest'
import { cleanUp } from './after-use.ts'
import { reportCalls } from './watch-calls.ts'
import { requireOneConnection } from './watch-transactions.ts'

afterAll(cleanUp)
afterAll(reportCalls)
afterAll(requireOneConnection)
