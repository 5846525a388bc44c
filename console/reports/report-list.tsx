import Button from '@mui/material/Button'
import { SelectInput, TextInput, useListContext, useTranslate } from 'react-admin'
import { Link } from 'react-router-dom'
import type { ReplyOf } from '../api/call.ts'
import { Age } from '../parts/age.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { ResourceList } from '../parts/resource-list.tsx'
import { Table, type Column } from '../parts/table.tsx'
import { categories, kinds } from './report-texts.ts'

export type Report = ReplyOf<'getReport'>
type ListedReport = ReplyOf<'listReports'>['reports'][number]

/** What waits, the longest first: how the list is shown to whoever has not chosen otherwise. */
export const usualList = { sort: 'reported_at', order: 'ASC', perPage: 50, filter: { status: 'pending' } } as const

const choices = (group: string, names: readonly string[]) =>
  names.map((name) => ({ id: name, name: `console.${group}.${name}` }))

const filters = [
  <TextInput key="q" source="q" alwaysOn label="console.reports.any" resettable />,
  <SelectInput
    key="status"
    source="status"
    alwaysOn
    label="console.members.status"
    choices={choices('report_statuses', ['pending', 'resolved'])}
  />,
  <SelectInput
    key="report_type"
    source="report_type"
    label="console.members.report_type"
    choices={choices('report_types', kinds)}
  />,
  <SelectInput
    key="category"
    source="category"
    label="console.reports.category"
    choices={choices('report_categories', categories)}
  />,
  ...[
    'reporter_id',
    'reported_user_id',
    'reported_guild_id',
    'reported_channel_id',
    'guild_context_id',
    'claimed_by_admin_id',
    'resolved_by_admin_id',
  ].map((source) => <TextInput key={source} source={source} label={`console.members.${source}`} />),
]

/** The columns of a list of reports. */
export const reportColumns: readonly Column<ListedReport>[] = [
  { source: 'reported_at', render: ({ reported_at: at }) => <Age at={at} />, link: reportPath, isSortable: true },
  { source: 'report_type', render: ({ report_type: type }) => <Said group="report_types" name={kinds[type]} /> },
  { source: 'report_category', render: ({ category }) => <Said group="report_categories" name={category} /> },
  { source: 'subject', render: (report) => <PlainText>{subjectOf(report)}</PlainText> },
  { source: 'additional_info' },
  { source: 'claimed_by_admin_id' },
  { source: 'resolved_at', isSortable: true },
]

/** All reports: what waits, the longest first, unless the reader looks for others. */
export function ReportList() {
  const { filter, perPage, sort: field, order } = usualList
  return (
    <ResourceList
      filters={filters}
      filterDefaultValues={filter}
      sort={{ field, order }}
      perPage={perPage}
      title="console.views.reports"
      actions={<Begin />}
    >
      <Table columns={reportColumns} rowClick="show" />
    </ResourceList>
  )
}

/** Leads to the first of the list. */
function Begin() {
  const translate = useTranslate()
  const { data } = useListContext<ListedReport & { readonly id: string }>()
  const first = data?.[0]
  return (
    first && (
      <Button component={Link} to={reportPath(first)}>
        {translate('console.reports.begin')}
      </Button>
    )
  )
}

/** A word of the API, as people read it. */
export function Said({ group, name }: { readonly group: string; readonly name: string | undefined }) {
  const translate = useTranslate()
  return name === undefined ? <span>–</span> : translate(`console.${group}.${name}`, { _: name.replaceAll('_', ' ') })
}

/** Whom or what a report is about: the guild by its name, the account by its tag, as they were. */
export function subjectOf(report: ListedReport): string | null {
  const {
    reported_guild_name: guild,
    reported_guild_id: guildId,
    reported_user_tag: tag,
    reported_user_id: id,
  } = report
  return kinds[report.report_type] === 'guild' ? (guild ?? guildId) : (tag ?? id)
}

/** The address of a report's page. */
export function reportPath({ report_id: id }: { readonly report_id: string }): string {
  return `/reports/${id}/show`
}
