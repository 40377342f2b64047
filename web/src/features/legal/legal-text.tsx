import { Stack } from '../../components/layout/boxes.tsx'

/**
 * A legal text. Paragraphs are separated by blank lines; a line that begins with `## ` is a heading. Nothing is
 * interpreted as HTML.
 */
export function LegalText({ text }: { text: string }) {
  const blocks = text.split(/\n\s*\n|\n(?=## )|(?<=^## [^\n]*)\n/m).filter((block) => block.trim() !== '')
  return (
    <Stack as="article" gap={12} style={{ maxWidth: '72ch', lineHeight: 1.6, overflowWrap: 'anywhere' }}>
      {blocks.map((block, n) =>
        block.startsWith('## ') ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a text have no other name
          <h2 key={n} style={{ marginBlockStart: 12 }}>
            {block.slice(3)}
          </h2>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a text have no other name
          <p key={n} style={{ whiteSpace: 'pre-line' }}>
            {block}
          </p>
        ),
      )}
    </Stack>
  )
}
