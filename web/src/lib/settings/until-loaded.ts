const firstPauseMs = 1_000
const longestPauseMs = 30_000

/**
 * Loads again after a temporary failure, with growing pauses. Without the profile or the settings a screen shows no
 * actions: one lost response must not leave it so until the user reloads the page. `load` resolves to false if the same
 * request may succeed later.
 */
export async function untilLoaded(load: () => Promise<boolean>): Promise<void> {
  for (let pauseMs = firstPauseMs; !(await load()); pauseMs = Math.min(pauseMs * 2, longestPauseMs))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
}
