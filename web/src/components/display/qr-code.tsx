import { useQuery } from '@tanstack/react-query'
import classes from './qr-code.module.css'

/** Modules of white space around a QR code. Cameras do not detect the code without it. */
const quiet = 4

/** A text as QR code; `label` says what scanning it does. The encoder is loaded with the first code. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = useQuery({
    queryKey: ['qr', text],
    queryFn: async () => {
      const { create } = await import('qrcode')
      const { modules } = create(text, { errorCorrectionLevel: 'M' })
      const squares = [...modules.data].flatMap((dark, n) =>
        dark ? [`M${n % modules.size} ${Math.floor(n / modules.size)}h1v1h-1z`] : [],
      )
      return { size: modules.size + 2 * quiet, path: squares.join('') }
    },
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
  })
  // The white square is rendered at once, so that nothing moves when the code appears.
  const { size, path } = code.data ?? { size: 1, path: '' }
  return (
    <svg
      className={classes.qr}
      viewBox={`${-quiet} ${-quiet} ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}
