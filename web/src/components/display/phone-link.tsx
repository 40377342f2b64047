import { useEffect, useState } from 'react'

let format: ((phone: string) => string) | undefined

const loadFormat = async () => {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  format = (phone) => parsePhoneNumberFromString(phone)?.formatInternational() ?? phone
}

/**
 * A phone number on one line, with its digits grouped as in its country. Invisible until the numbering plans have
 * loaded, so that it does not change before the reader's eyes; screen readers can read it. Without a connection it is
 * ungrouped.
 */
export function Phone({ phone }: { phone: string }) {
  const [isReady, setIsReady] = useState(format !== undefined)
  useEffect(() => {
    const show = () => setIsReady(true)
    if (!isReady) void loadFormat().then(show, show)
  }, [isReady])
  return <span style={{ whiteSpace: 'nowrap', opacity: isReady ? 1 : 0 }}>{format?.(phone) ?? phone}</span>
}

/** A phone number that can be called. */
export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a href={`tel:${phone}`}>
      <Phone phone={phone} />
    </a>
  )
}
