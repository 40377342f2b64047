import { useFileAddress } from '../../lib/file-link.ts'
import { Row } from '../layout/boxes.tsx'
import classes from './photos.module.css'

/** `alt` is for all photos, or tells the text of the one at a place. */
type Props = { photos: readonly { id: string; link: string }[]; alt: string | ((place: number) => string) }

/** Photos side by side, each opening whole in a tab of its own. */
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
