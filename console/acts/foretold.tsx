import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'
import type { components } from '../../dist/console-api/api.d.ts'
import { Value } from '../parts/facts.tsx'

export type DryRun = components['schemas']['DryRun']

/** What an act would do, as its dry run says: events, entries of the audit log, mails and jobs. */
export function Foretold({ of }: { readonly of: DryRun }) {
  const translate = useTranslate()
  const parts = [
    ['events', of.events],
    ['audit_entries', of.audit_entries],
    ['mails', of.mails],
    ['jobs', of.jobs],
  ] as const
  return (
    <section aria-label={translate('console.acts.foretold')}>
      <Typography variant="h6" component="h3">
        {translate('console.acts.foretold')}
      </Typography>
      {parts.every(([, things]) => things.length === 0) && <p>{translate('console.acts.nothing')}</p>}
      {parts.map(
        ([name, things]) =>
          things.length > 0 && (
            <details key={name} open={name !== 'jobs'}>
              <summary>{translate(`console.acts.${name}`, { smart_count: things.length })}</summary>
              <ul>
                {things.map((thing, index) => (
                  <li key={index}>
                    <Value of={thing} />
                  </li>
                ))}
              </ul>
            </details>
          ),
      )}
    </section>
  )
}
