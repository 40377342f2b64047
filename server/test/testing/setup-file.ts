// Runs before each test file, even if the files of a worker share their modules.
import { afterAll, onTestFinished, TestRunner } from 'vitest'
import { cleanUp, setAfterTest } from './after-use.ts'
import { reportCalls } from './watch-calls.ts'
import { requireOneConnection } from './watch-transactions.ts'

setAfterTest((cleanup) => {
  if (!TestRunner.getCurrentTest()) return false
  onTestFinished(async () => void (await cleanup()))
  return true
})
afterAll(cleanUp)
afterAll(reportCalls)
afterAll(requireOneConnection)
