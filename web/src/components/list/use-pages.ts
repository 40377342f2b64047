import { useState } from 'react'

/**
 * The page of a list that is not in the URL, for `Pages`. Other filters start again at the first page. `slice` is the
 * part of the query that selects the page.
 */
export function usePages(filters: object, limit = 50) {
  const key = JSON.stringify(filters)
  const [turned, setTurned] = useState({ key, page: 1 })
  const page = turned.key === key ? turned.page : 1
  return {
    list: { page, setPage: (next: number) => setTurned({ key, page: next }) },
    slice: { limit, offset: (page - 1) * limit },
  }
}
