import { useEffect, useState } from 'react'

/**
 * Whole seconds until `end`, counting down to 0. `end` and `now` are milliseconds of the same clock: `serverNow` for a
 * time from the server, `Date.now` for a wait that began on this device.
 */
export function useCountdown(end: number, now: () => number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(end, now))
  useEffect(() => {
    const tick = () => setSeconds(secondsUntil(end, now))
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [end, now])
  return seconds
}

const secondsUntil = (end: number, now: () => number) => Math.max(0, Math.ceil((end - now()) / 1_000))
