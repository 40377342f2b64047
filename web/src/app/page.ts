import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

type Pages = Record<string, () => Promise<Record<string, unknown>>>

/**
 * Routes from a table of path -> lazy import of the page. The page's file exports one component, whose name ends in
 * `Page`: it is found by that, so that a line here is all that a page needs.
 */
export function pagesUnder(parent: AnyRoute, pages: Pages): AnyRoute[] {
  return Object.entries(pages).map(([path, load]) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyRouteComponent(async () => ({ default: pageIn(await load(), path) })),
    }),
  )
}

function pageIn(module: Record<string, unknown>, path: string): () => React.ReactNode {
  const page = Object.entries(module).find(([name]) => name.endsWith('Page'))?.[1]
  if (typeof page !== 'function')
    throw new Error(`The page of ${path} must export a component whose name ends in Page.`)
  return page as () => React.ReactNode
}
