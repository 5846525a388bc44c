import { DateTimeInput, type DateTimeInputProps } from 'react-admin'

/** A time in the reader's zone, as the API takes it: in ISO 8601. */
export function MomentInput(props: DateTimeInputProps) {
  return <DateTimeInput {...props} parse={isoOf} />
}

/** The exact time that an input of the type datetime-local has; null where it has none. */
function isoOf(text: string): string | null {
  return text === '' ? null : new Date(text).toISOString()
}
