import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Link from '@mui/material/Link'
import { useMutation } from '@tanstack/react-query'
import { useTranslate } from 'react-admin'
import { call, type ReplyOf } from '../api/call.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { ReadingRows } from '../parts/reading-rows.tsx'
import { useReading } from '../parts/use-reading.ts'
import { guildPath } from '../guilds/guild-list.tsx'
import { userPath } from '../users/user-list.tsx'

type Archive = ReplyOf<'listArchives'>['archives'][number]

const refreshed_ms = 5000

/** The archives that administrators have asked for, on the page of an account or of a guild. */
export function Archives() {
  const reading = useReading(
    'listArchives',
    { query: { limit: 200, include_expired: true } },
    { every_ms: refreshed_ms },
  )
  return (
    <ReadingRows
      name="archives"
      reading={reading}
      rowsIn={({ archives }) => archives}
      idOf={({ archive_id: id }) => id}
      columns={[
        { source: 'subject_type' },
        {
          source: 'subject_id',
          link: ({ subject_type: type, subject_id: id }) => (type === 'guild' ? guildPath({ id }) : userPath({ id })),
        },
        { source: 'requested_by', link: ({ requested_by: id }) => userPath({ id }) },
        { source: 'requested_at' },
        { source: 'progress', render: (archive) => <Progress of={archive} /> },
        { source: 'file_size' },
        { source: 'expires_at' },
        { source: 'error_message' },
        { source: 'download', render: (archive) => <Download of={archive} /> },
      ]}
    />
  )
}

function Progress({ of }: { readonly of: Archive }) {
  const translate = useTranslate()
  const { progress_percent: percent, progress_step: step, archive_id: id } = of
  return (
    <>
      <LinearProgress
        variant="determinate"
        value={percent}
        aria-label={`${translate('console.members.progress')} ${id}`}
      />
      {percent} %{step !== null && ` · ${step}`}
    </>
  )
}

/** A link that lasts for minutes is made when it is asked for, and recorded then. */
function Download({ of }: { readonly of: Archive }) {
  const translate = useTranslate()
  const { subject_type: type, subject_id: subject, archive_id: id } = of
  const link = useMutation({
    mutationFn: () =>
      call('getArchiveDownloadLink', { path: { subject_type: type, subject_id: subject, archive_id: id } }),
  })
  if (of.completed_at === null) return null
  if (link.data)
    return (
      <Link href={link.data.downloadUrl} rel="noreferrer" target="_blank">
        {translate('console.instance.download')}
      </Link>
    )
  return (
    <>
      <Button size="small" variant="outlined" disabled={link.isPending} onClick={() => link.mutate()}>
        {translate('console.instance.make_link')}
      </Button>
      <FailureNotice error={link.error} />
    </>
  )
}
