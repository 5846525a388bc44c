import { Rows } from '../parts/rows.tsx'
import { usePages } from '../parts/use-pages.ts'
import { streamPath } from './event-columns.tsx'

const page = 100

/** The streams that concern an account, a guild, a channel, an invite or a purchase, in pages. */
export function SubjectStreams({ subject }: { readonly subject: string }) {
  const pages = usePages(
    'listHistorySubjectStreams',
    { path: { subject }, query: { limit: page } },
    (streams) => streams,
    (_, rows) => (rows.length < page ? undefined : { after: rows.at(-1)?.cursor }),
  )
  return (
    <Rows
      name="streams"
      {...pages}
      idOf={({ stream }) => stream}
      columns={[
        { source: 'stream', link: ({ stream }) => streamPath(stream) },
        { source: 'first.type' },
        { source: 'first.at' },
        { source: 'newest.type' },
        { source: 'newest.at' },
        { source: 'newest.revision' },
      ]}
    />
  )
}
