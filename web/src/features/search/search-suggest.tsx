import { IconArrowRight } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type SearchHit, searchAll, searchAllForStaff } from '@waybill/contract/search/search'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { Suggest } from '../../components/fields/suggest.tsx'
import { usePhone } from '../../lib/browser/use-media.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { HitOption, PageOption } from './search-options.tsx'

const settleMs = 150
const shortestSearch = 2
const maxPages = 4

/** A page or an action that the user may open. `label` is its text in their language. */
export type PageLink = { to: string; label: string; icon: ReactNode; open: () => void }

type Props = {
  side: 'customer' | 'staff'
  pages: readonly PageLink[]
  /** Opens the page of a hit. */
  openHit: (hit: SearchHit) => void
  hint: ReactNode
  inputRef: RefObject<HTMLInputElement | null>
}

/** The search box of the top bar: pages and actions by their names, and the server's hits, in one list. */
export function SearchSuggest({ side, pages, openHit, hint, inputRef }: Props) {
  const t = useT()
  const isPhone = usePhone()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const words = text.trim()
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(words), settleMs)
    return () => clearTimeout(timer)
  }, [words])
  const isLongEnough = search.length >= shortestSearch
  const { data, isFetching } = useCall(
    side === 'customer' ? searchAll : searchAllForStaff,
    { query: { q: search } },
    { enabled: isLongEnough, keepPrevious: true },
  )
  const isCurrent = search === words && !isFetching
  const hits = isLongEnough && words !== '' ? (data?.items ?? []) : []
  const matchingPages = words === '' ? [] : findPages(pages, words)
  const everyParcel = side === 'customer' && words.length >= shortestSearch

  const suggestions = [
    ...matchingPages.map((page) => ({ id: page.to, content: <PageOption page={page} /> })),
    ...hits.map((hit) => ({ id: hitKey(hit), content: <HitOption hit={hit} /> })),
    ...(everyParcel
      ? [
          {
            id: 'parcels',
            content: (
              <PageOption
                page={{
                  label: t('search.parcelsWith', { text: words }),
                  icon: <IconArrowRight size={18} aria-hidden />,
                }}
              />
            ),
          },
        ]
      : []),
  ]

  function pick(id: string) {
    setText('')
    // The heading of the next page gets the focus, unless the user has focused the box again by then.
    inputRef.current?.blur()
    const hit = hits.find((each) => hitKey(each) === id)
    if (hit) openHit(hit)
    else if (id === 'parcels') void navigate({ to: '/parcels', search: { q: words } })
    else matchingPages.find(({ to }) => to === id)?.open()
  }

  const label = t(side === 'customer' ? 'nav.search' : 'nav.searchStaff')
  return (
    <Suggest
      label={label}
      placeholder={isPhone ? t('actions.search') : label}
      text={text}
      onText={setText}
      suggestions={suggestions}
      onPick={pick}
      firstIsMeant={suggestions.length > 0}
      settled={isCurrent || !isLongEnough}
      nothing={isLongEnough && isCurrent && words !== ''}
      compact={{ keyShortcut: '/ Control+K', hint, inputRef }}
    />
  )
}

const hitKey = ({ kind, id }: SearchHit) => `${kind} ${id}`

/** The pages that contain a word with each typed prefix. */
function findPages(pages: readonly PageLink[], text: string): readonly PageLink[] {
  const typedWords = text.toLocaleLowerCase().split(/\s+/)
  return pages
    .filter(({ label }) => {
      const name = label.toLocaleLowerCase()
      const words = name.split(/[\s-]+/)
      // A Chinese name has no spaces, so any part of it matches.
      return typedWords.every((typed) =>
        /\p{Script=Han}/u.test(typed) ? name.includes(typed) : words.some((word) => word.startsWith(typed)),
      )
    })
    .slice(0, maxPages)
}
