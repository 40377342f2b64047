/** The browser's own barcode reader (Shape Detection API). TypeScript's library does not know it yet. */
type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> }
type DetectorClass = {
  new (options: { formats: string[] }): Detector
  getSupportedFormats(): Promise<string[]>
}

/** The text of a barcode in the current frame, or null. */
export type ReadCode = (video: HTMLVideoElement) => Promise<string | null>

/** The two codes of a consignment note. */
const formats = ['code_128', 'qr_code']

/**
 * The browser's own reader if it supports both codes (Chrome on Android and macOS). All others, such as iPhones, use
 * ZXing, which is imported on demand (360 kB). Throws if the import fails.
 */
export async function openReader(): Promise<ReadCode> {
  return (await nativeReader()) ?? zxingReader()
}

async function nativeReader(): Promise<ReadCode | null> {
  const Native = (globalThis as unknown as { BarcodeDetector?: DetectorClass }).BarcodeDetector
  const nativeFormats = (await Native?.getSupportedFormats().catch(() => [])) ?? []
  if (!Native || !formats.every((format) => nativeFormats.includes(format))) return null
  const detector = new Native({ formats })
  return async (video) => (await detector.detect(video).catch(() => []))[0]?.rawValue ?? null
}

async function zxingReader(): Promise<ReadCode> {
  const [{ prepareZXingModule, readBarcodes }, { default: wasm }] = await Promise.all([
    import('zxing-wasm/reader'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ])
  // Served from our own host; the package would load it from a public one.
  await prepareZXingModule({ overrides: { locateFile: () => wasm }, fireImmediately: true })
  const canvas = document.createElement('canvas')
  const drawing = canvas.getContext('2d', { willReadFrequently: true })
  return async (video) => {
    const { videoWidth: width, videoHeight: height } = video
    if (!drawing || width === 0) return null
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    drawing.drawImage(video, 0, 0)
    const options = { formats: ['Code128', 'QRCode'] as ('Code128' | 'QRCode')[], maxNumberOfSymbols: 1 }
    const [barcode] = await readBarcodes(drawing.getImageData(0, 0, width, height), options)
    return barcode?.text ?? null
  }
}
