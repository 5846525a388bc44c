import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'
import type { AdminObjects } from '../../client/admin.ts'
import { Value } from '../parts/facts.tsx'
import { PlainText } from '../parts/plain-text.tsx'

type DryRun = AdminObjects['DryRun']

/** What an act would do, as its dry run says: events, entries of the audit log, mails and jobs; or in the operation's own words. */
export function Foretold({ of }: { readonly of: unknown }) {
  const translate = useTranslate()
  return (
    <section aria-label={translate('console.acts.foretold')}>
      <Typography variant="h6" component="h3">
        {translate('console.acts.foretold')}
      </Typography>
      {isDryRun(of) ? <Parts of={of} /> : <Value of={of} />}
    </section>
  )
}

function isDryRun(of: unknown): of is DryRun {
  return typeof of === 'object' && of !== null && 'audit_entries' in of
}

function Parts({ of }: { readonly of: DryRun }) {
  const translate = useTranslate()
  const parts: readonly (readonly [name: string, lines: readonly Line[]])[] = [
    ['events', of.events.map(({ type, stream, dispatches, data }) => [`${type} · ${stream}`, dispatches, data])],
    [
      'audit_entries',
      of.audit_entries.map(({ action, target_type: type, target_id: id, metadata }) => [
        `${action} · ${type} ${id}`,
        [],
        metadata,
      ]),
    ],
    ['mails', of.mails.map(({ template, user_id: id }) => [`${template} · ${id}`, [], undefined])],
    ['jobs', of.jobs.map(({ task, total }) => [total === null ? task : `${task} · ${total}`, [], undefined])],
  ]
  return (
    <>
      {parts.every(([, lines]) => lines.length === 0) && <p>{translate('console.acts.nothing')}</p>}
      {parts.map(([name, lines]) => lines.length > 0 && <Part key={name} name={name} lines={lines} />)}
    </>
  )
}

type Line = readonly [said: string, dispatches: readonly string[], details: object | undefined]

function Part({ name, lines }: { readonly name: string; readonly lines: readonly Line[] }) {
  const translate = useTranslate()
  return (
    <>
      <Typography variant="subtitle2" component="h4">
        {translate(`console.acts.${name}`, { smart_count: lines.length })}
      </Typography>
      <ul>
        {lines.map(([said, dispatches, details], index) => (
          <li key={index}>
            <PlainText>{said}</PlainText>
            {dispatches.length > 0 && <> → {dispatches.join(', ')}</>}
            {details && (
              <details>
                <summary>{translate('console.acts.details')}</summary>
                <Value of={details} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
