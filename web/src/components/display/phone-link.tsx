import { useEffect, useState } from 'react'

let format: ((phone: string) => string) | undefined

const loadFormat = async () => {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  format = (phone) => parsePhoneNumberFromString(phone)?.formatInternational() ?? phone
}

/** A phone number on one line, with its digits grouped as in its country once the numbering plans have loaded. */
export function Phone({ phone }: { phone: string }) {
  const [isLoaded, setIsLoaded] = useState(format !== undefined)
  useEffect(() => {
    if (!isLoaded) void loadFormat().then(() => setIsLoaded(true))
  }, [isLoaded])
  return <span style={{ whiteSpace: 'nowrap' }}>{format?.(phone) ?? phone}</span>
}

/** A phone number that can be called. */
export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a href={`tel:${phone}`}>
      <Phone phone={phone} />
    </a>
  )
}
