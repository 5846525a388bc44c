import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router-dom'
import type { OperationId } from '../api/operations.ts'
import { useAcls } from '../parts/use-acls.ts'

const logs = [
  { name: 'of_administrators', path: '/audit', needs: 'listAdminAuditLogEntries' },
  { name: 'of_a_guild', path: '/audit/guilds', needs: 'listHistoryGuildAuditLogEntries' },
] as const satisfies readonly { name: string; path: string; needs: OperationId }[]

/** The ways to the audit logs that the reader may read. */
export function AuditTabs({ at }: { readonly at: (typeof logs)[number]['path'] }) {
  const translate = useTranslate()
  const { may } = useAcls()
  return (
    <Stack component="nav" direction="row" aria-label={translate('console.audit.logs')} sx={{ gap: 1, marginBlock: 1 }}>
      {logs
        .filter(({ needs }) => may(needs))
        .map(({ name, path }) => (
          <Button
            key={name}
            component={Link}
            to={path}
            variant={path === at ? 'contained' : 'text'}
            aria-current={path === at ? 'page' : undefined}
          >
            {translate(`console.audit.${name}`)}
          </Button>
        ))}
    </Stack>
  )
}
