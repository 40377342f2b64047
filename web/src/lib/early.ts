type Early = {
  /** Where this build is deployed. */
  settings?: Promise<Response>
  token?: string
  language?: string
  answers: Record<string, Promise<Response | null>>
}

/** What `public/start.js` has asked for while this script was still loading. */
const early = () => (globalThis as { early?: Early }).early

/** The answer to `/settings.json`. */
export function earlySettings(): Promise<Response> | undefined {
  return early()?.settings
}

/**
 * The answer to a GET of this path, or null where `start.js` did not ask for it: then it is asked for now. Each is
 * given once, and only to whom it was meant for.
 */
export async function earlyAnswer(path: string, token: string, language: string): Promise<Response | null> {
  const asked = early()
  if (asked?.token !== token || asked.language !== language) return null
  const answer = asked.answers[path]
  delete asked.answers[path]
  return (await answer) ?? null
}
