/** Runs calls that arrive together as one group, in one transaction (docs/decisions/0102-calls-in-groups.md). */
import { isUnavailable } from '../pool.ts'
import { Turns } from './turns.ts'

/** A group that takes longer waits for something else than the processor, and the next one no longer waits for it. */
const longestGroupMs = 50
/** More calls than this form several groups. */
export const mostCalls = 32

type Call<In, Out> = { input: In; resolve: (result: Out) => void; reject: (error: unknown) => void }

/**
 * Returns a function that runs a call: by `alone`, or, if several have arrived while another ran, all of these by
 * `together`, which returns their results in the same order. If `together` throws, it must have done nothing; then each
 * call runs alone, so that none fails because of another. Neither may depend on the context of a request, because a
 * call may run in the context of another one. A large call (`isLarge`) runs alone at once: a group would wait for it.
 */
export function groupCalls<In, Out>(
  together: (inputs: readonly In[]) => Promise<readonly Out[]>,
  alone: (input: In) => Promise<Out>,
  isLarge: (input: In) => boolean = () => false,
): (input: In) => Promise<Out> {
  const turns = new Turns(1, longestGroupMs)
  const waiting: Call<In, Out>[] = []
  let isTurnTaken = false

  const runAlone = ({ input, resolve, reject }: Call<In, Out>) => alone(input).then(resolve, reject)

  const runGroup = async (group: readonly Call<In, Out>[]): Promise<void> => {
    const [first] = group
    if (first && group.length === 1) return runAlone(first)
    try {
      const results = await together(group.map(({ input }) => input))
      for (const [n, { resolve }] of group.entries()) resolve(results[n] as Out)
    } catch (error) {
      // Without a database each call would only wait for its own timeout.
      if (isUnavailable(error)) for (const { reject } of group) reject(error)
      else await Promise.all(group.map(runAlone))
    }
  }

  const runNext = async (): Promise<void> => {
    isTurnTaken = true
    const endTurn = await turns.take()
    const group = waiting.splice(0, mostCalls)
    isTurnTaken = false
    if (waiting.length > 0) void runNext()
    await runGroup(group)
    endTurn()
  }

  return (input) =>
    isLarge(input)
      ? alone(input)
      : new Promise((resolve, reject) => {
          waiting.push({ input, resolve, reject })
          if (!isTurnTaken) void runNext()
        })
}
