import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router-dom'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { tagOf, userPath } from '../users/user-list.tsx'
import type { Report } from './report-list.tsx'

type Message = Report['message_context'][number]

/** The reported message as it was, among those around it, and what became of it. */
export function Messages({ report }: { readonly report: Report }) {
  const translate = useTranslate()
  const { reported_message_id: id, message_context: messages } = report
  return (
    <>
      <Facts
        of={{
          reported_channel_name: report.reported_channel_name,
          reported_channel_id: report.reported_channel_id,
          reported_channel_nsfw: report.reported_channel_nsfw,
          reported_message_id: id,
        }}
      />
      <Typography component="h3" variant="subtitle1" sx={{ marginTop: 1 }}>
        {translate('console.reports.message_now')}
      </Typography>
      <Now report={report} />
      <Typography component="h3" variant="subtitle1" sx={{ marginTop: 1 }}>
        {translate('console.reports.messages_then')}
      </Typography>
      {messages.length === 0 && <p>{translate('console.say.none')}</p>}
      <Box
        component="ol"
        tabIndex={0}
        aria-label={translate('console.reports.messages_then')}
        sx={{ listStyle: 'none', padding: 0, margin: 0, maxHeight: '60vh', overflow: 'auto' }}
      >
        {messages.map((message) => (
          <ContextMessage key={message.id} message={message} isReported={message.id === id} />
        ))}
      </Box>
    </>
  )
}

/** Everything that a message says: its text, then the texts and addresses of its embeds and the names of its files, a line each. */
function wordsOf({ content, embeds, attachments }: Message): string {
  const boxes = embeds.flatMap(({ author, title, url, description, fields = [], footer, image, thumbnail }) => [
    author?.name,
    title,
    url,
    description,
    ...fields.flatMap(({ name, value }) => [name, value]),
    footer?.text,
    image?.url,
    thumbnail?.url,
  ])
  return [content, ...boxes, ...attachments.map(({ filename }) => filename)].filter(Boolean).join('\n')
}

function Now({ report }: { readonly report: Report }) {
  const translate = useTranslate()
  const { reported_message_now: now, reported_message_id: id } = report
  if (now === null) return <p>{translate('console.reports.message_gone')}</p>
  const then = report.message_context.find((message) => message.id === id)
  return then && wordsOf(then) === wordsOf(now) ? (
    <p>{translate('console.reports.message_same')}</p>
  ) : (
    <PlainText>{wordsOf(now)}</PlainText>
  )
}

function ContextMessage({ message, isReported }: { readonly message: Message; readonly isReported: boolean }) {
  const translate = useTranslate()
  const { author_username: username, author_discriminator: discriminator, author_id: authorId } = message
  return (
    <Box
      component="li"
      sx={{
        borderInlineStart: 4,
        borderColor: isReported ? 'error.main' : 'divider',
        paddingInlineStart: 1.5,
        marginBlock: 1,
      }}
    >
      <Typography component="div" variant="body2">
        <Link to={userPath({ id: authorId })}>
          <PlainText>
            {username === null || discriminator === null ? authorId : tagOf({ username, discriminator })}
          </PlainText>
        </Link>{' '}
        · <Moment at={message.timestamp} />
        {message.edited_timestamp !== null && (
          <>
            {' '}
            · {translate('console.reports.edited')} <Moment at={message.edited_timestamp} />
          </>
        )}{' '}
        {isReported && <Chip size="small" variant="outlined" label={translate('console.reports.this_one')} />}
      </Typography>
      <PlainText>{wordsOf({ ...message, attachments: [] })}</PlainText>
      <Files of={message} />
    </Box>
  )
}

/** The files of a message. A stranger chose their names, and what is in them: they open outside of the console. */
function Files({ of: { attachments } }: { readonly of: Message }) {
  const translate = useTranslate()
  if (attachments.length === 0) return null
  return (
    <Box component="ul" aria-label={translate('console.reports.files')} sx={{ margin: 0, paddingInlineStart: 3 }}>
      {attachments.map(({ id, filename, url, content_type: type, size }) => (
        <Typography component="li" variant="body2" key={id}>
          {url === null ? (
            <PlainText>{filename}</PlainText>
          ) : (
            <a href={url} rel="noreferrer" target="_blank">
              <PlainText>{filename}</PlainText>
            </a>
          )}{' '}
          · {type} · {translate('console.reports.file_bytes', { size })}
          {url === null && ` · ${translate('console.reports.file_gone')}`}
        </Typography>
      ))}
    </Box>
  )
}
