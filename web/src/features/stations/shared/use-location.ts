import { useState } from 'react'

type Problem = 'denied' | 'unavailable' | 'timeout'

/** The browser's location, requested only when the user presses the button. */
export type Locator = { locate: () => void; locating: boolean; problem: Problem | null }

const timeoutMs = 15_000
/** A position of the last minutes is good enough to find a station. */
const maximumAgeMs = 300_000

/**
 * Calls `onFound` with the location as `lat,lng`, rounded to three decimals (about 100 m). This is enough to find a
 * station, and the URL and the server's logs do not reveal the exact house.
 */
export function useLocation(onFound: (point: string) => void): Locator {
  const [locating, setLocating] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  function locate() {
    setProblem(null)
    if (!('geolocation' in navigator)) return setProblem('unavailable')
    setLocating(true)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setLocating(false)
        onFound(`${coords.latitude.toFixed(3)},${coords.longitude.toFixed(3)}`)
      },
      (error) => {
        setLocating(false)
        if (error.code === error.PERMISSION_DENIED) setProblem('denied')
        else setProblem(error.code === error.TIMEOUT ? 'timeout' : 'unavailable')
      },
      { timeout: timeoutMs, maximumAge: maximumAgeMs },
    )
  }
  return { locate, locating, problem }
}
