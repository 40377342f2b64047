import { useFileAddress } from '../lib/file-link.ts'
import classes from './photos.module.css'

type Props = { photos: readonly { id: string; link: string }[]; alt: string }

/** Photos side by side, each opening whole in a tab of its own. */
export function Photos({ photos, alt }: Props) {
  const address = useFileAddress()
  if (photos.length === 0) return null
  return (
    <div className={classes.photos}>
      {photos.map(({ id, link }) => (
        <a key={id} href={address(link)} target="_blank" rel="noreferrer">
          <img className={classes.photo} src={address(link)} alt={alt} loading="lazy" />
        </a>
      ))}
    </div>
  )
}
