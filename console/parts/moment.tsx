import { useLocale, useRecordContext } from 'react-admin'

/** A time in the reader's zone; the exact one, in UTC, on hover. */
export function Moment({ at }: { readonly at: string | null | undefined }) {
  const locale = useLocale() ?? 'en'
  if (at === null || at === undefined) return <span>–</span>
  const shown = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
  return (
    <time dateTime={at} title={at}>
      {shown}
    </time>
  )
}

/** The same, for a member of the record of a list. */
export function MomentField({ source }: { readonly source: string; readonly label?: string }) {
  const record = useRecordContext()
  return <Moment at={record?.[source]} />
}
