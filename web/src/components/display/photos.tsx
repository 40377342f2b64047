import { useFileAddress } from '../../lib/file-link.ts'
import { Row } from '../layout/boxes.tsx'
import classes from './photos.module.css'

/** `alt` is the text of every photo, or a function of the photo's position. */
type Props = { photos: readonly { id: string; link: string }[]; alt: string | ((place: number) => string) }

/** Thumbnails side by side; each opens the full photo in a new tab. */
export function Photos({ photos, alt }: Props) {
  const address = useFileAddress()
  if (photos.length === 0) return null
  return (
    <Row gap={8}>
      {photos.map(({ id, link }, place) => (
        <a key={id} href={address(link)} target="_blank" rel="noreferrer">
          <img
            className={classes.photo}
            src={address(link)}
            alt={typeof alt === 'string' ? alt : alt(place)}
            loading="lazy"
          />
        </a>
      ))}
    </Row>
  )
}
