import { useEffect, useState } from 'react'
import { runtimeSettings } from './settings/runtime-settings.ts'

/**
 * A link of an attachment as an address: the server answers a path where files come from the portal itself, and the
 * deployment may put a file host before it.
 */
export function useFileAddress(): (link: string) => string {
  const [host, setHost] = useState('')
  useEffect(() => {
    void runtimeSettings().then(({ fileHost }) => setHost(fileHost))
  }, [])
  return (link) => (link.startsWith('/') ? host + link : link)
}
