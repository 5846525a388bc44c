import { useTranslate } from 'react-admin'
import { ActButtons } from '../acts/act-buttons.tsx'
import type { ReplyOf } from '../api/call.ts'
import { Facts } from '../parts/facts.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Rows } from '../parts/rows.tsx'
import type { Column } from '../parts/table.tsx'
import { useReading } from '../parts/use-reading.ts'
import { Heading } from './heading.tsx'

type Config = ReplyOf<'getLimitConfiguration'>
type Metadata = Config['metadata'][string]

/** What accounts and guilds may have how many of, by rule, and the form that replaces the rules. */
export function Limits() {
  const translate = useTranslate()
  const { data, error, refetch } = useReading('getLimitConfiguration')
  if (error) return <FailureNotice error={error} retry={() => void refetch()} />
  if (!data) return <p>{translate('console.say.loading')}</p>
  const { limit_config: config, metadata, categories } = data
  return (
    <>
      <ActButtons acts={[{ id: 'updateLimitConfiguration', values: { body: { limit_config: editable(data) } } }]} />
      <Facts of={{ traitDefinitions: config.traitDefinitions, self_hosted: data.self_hosted }} />
      <Heading name="rules" />
      <Rows
        name="rules"
        rows={config.rules.map(({ id, filters, modifiedFields }) => ({
          id,
          traits: filters?.traits,
          guildFeatures: filters?.guildFeatures,
          modifiedFields,
        }))}
        idOf={({ id }) => id}
        columns={[{ source: 'id' }, { source: 'traits' }, { source: 'guildFeatures' }, { source: 'modifiedFields' }]}
      />
      <Heading name="limits" />
      <Rows
        name="limits"
        rows={Object.values(metadata)}
        idOf={({ key }) => key}
        columns={[
          { source: 'label' },
          { source: 'category', render: ({ category }: Metadata) => categories[category] ?? category },
          { source: 'unit' },
          ...config.rules.map((rule): Column<Metadata> => ({
            source: `${translate('console.instance.rule')} ${rule.id}`,
            render: ({ key }) => valueIn(rule, key),
          })),
          { source: 'description' },
          { source: 'key' },
        ]}
      />
    </>
  )
}

function valueIn({ limits }: Config['limit_config']['rules'][number], key: Metadata['key']): string {
  const value = limits[key]
  return value === undefined ? '–' : String(value)
}

/** The rules as the API takes them: what it shows of them beside that is computed, and values of the server's own are not made the operator's. */
function editable({ limit_config: { traitDefinitions, rules }, defaults }: Config) {
  return {
    traitDefinitions,
    rules: rules.map(({ modifiedFields = [], limits, ...rule }) => ({
      ...rule,
      limits: rule.id in defaults ? Object.fromEntries(modifiedFields.map((key) => [key, limits[key]])) : limits,
    })),
  }
}
