import { useEffect, useState } from 'react'

/** A phone number that can be called. It is formatted as in its country once the numbering plans have loaded. */
export function PhoneLink({ phone }: { phone: string }) {
  const [text, setText] = useState(phone)
  useEffect(() => {
    let current = true
    void import('libphonenumber-js/min').then(({ parsePhoneNumberFromString }) => {
      if (current) setText(parsePhoneNumberFromString(phone)?.formatInternational() ?? phone)
    })
    return () => {
      current = false
    }
  }, [phone])
  return <a href={`tel:${phone}`}>{text}</a>
}
