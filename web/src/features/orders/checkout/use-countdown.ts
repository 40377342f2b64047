import { useEffect, useState } from 'react'

/** Whole seconds until an instant (ISO 8601), counting down to 0. */
export function useCountdown(until: string): number {
  const secondsLeft = () => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(secondsLeft)
  useEffect(() => {
    const tick = () => setSeconds(Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [until])
  return seconds
}
