import { useState } from 'react'
import { useFileAddress } from '../../lib/file-link.ts'
import classes from './avatar.module.css'

type Props = {
  name: string
  /** A signed link; null or expired: initials. */
  photo: string | null
  size?: number
}

/** `Nur Izzati` -> `NI`, `陈大文` -> `陈`. */
function getInitials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toUpperCase()
}

/**
 * The photo of a person, or their initials. It is hidden from screen readers, because the name is always shown with it.
 */
export function Avatar({ name, photo, size = 32 }: Props) {
  const fileAddress = useFileAddress()
  // Links expire after a quarter of an hour; a page may stay open for longer.
  const [broken, setBroken] = useState<string | null>(null)
  const style = { width: size, height: size, fontSize: Math.round(size * 0.4) }
  if (photo && photo !== broken) {
    return (
      <span className={classes.avatar} style={style} aria-hidden>
        <img src={fileAddress(photo)} alt="" width={size} height={size} onError={() => setBroken(photo)} />
      </span>
    )
  }
  // Drawn by the style sheet: as text they would be part of a button's visible label, but not of its name.
  return <span className={classes.avatar} style={style} data-initials={getInitials(name)} aria-hidden />
}
