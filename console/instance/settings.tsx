import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'
import { ActButtons } from '../acts/act-buttons.tsx'
import { Facts } from '../parts/facts.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useReading } from '../parts/use-reading.ts'

/** The configuration of the instance, a section for each group of it, and the form that changes it. */
export function Settings() {
  const translate = useTranslate()
  const { data, error, refetch } = useReading('getInstanceConfiguration')
  if (error) return <FailureNotice error={error} retry={() => void refetch()} />
  if (!data) return <p>{translate('console.say.loading')}</p>
  // Registrations have a tab of their own.
  const { registration, ...groups } = data
  const { urls: _urls, pending_registrations: _pending, ...ofRegistration } = registration
  return (
    <>
      <ActButtons
        acts={[
          { id: 'updateInstanceConfiguration', values: { body: data } },
          { id: 'setBrandingAsset' },
          { id: 'testMailServer' },
        ]}
      />
      {Object.entries({ registration: ofRegistration, ...groups }).map(([name, value]) => (
        <Group key={name} name={name} value={value} level={2} />
      ))}
    </>
  )
}

interface GroupProps {
  readonly name: string
  readonly value: unknown
  readonly level: number
}

/** A group of settings, and those within it; nothing for one that this instance does not have. */
function Group({ name, value, level }: GroupProps) {
  const translate = useTranslate()
  const label = translate(`console.members.${name}`, { _: name.replaceAll('_', ' ') })
  if (!isGroup(value)) return <Facts of={{ [name]: value }} />
  const members = Object.entries(value)
  if (members.length === 0) return null
  const facts = members.filter(([, member]) => !isGroup(member))
  return (
    <section aria-label={label}>
      <Typography component={`h${level}` as 'h2'} variant={level === 2 ? 'h6' : 'subtitle2'} sx={{ marginTop: 2 }}>
        {label}
      </Typography>
      <Facts of={Object.fromEntries(facts)} />
      {members.map(
        ([inner, member]) => isGroup(member) && <Group key={inner} name={inner} value={member} level={level + 1} />,
      )}
    </section>
  )
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
