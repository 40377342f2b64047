/**
 * The number that a code of a note stands for: its barcode is the number itself, its QR code the address of the tracking page with `no=`, so that anybody's phone finds
 * the way. Anything else is passed on as it is, without blanks around it.
 */
export function scannedNumber(code: string): string {
  const text = code.trim()
  if (!/^https?:\/\//i.test(text)) return text
  return (URL.canParse(text) && new URL(text).searchParams.get('no')?.trim()) || text
}
