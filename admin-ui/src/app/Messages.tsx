import { App } from 'antd';
import { useEffect } from 'react';
import type { Messages as Api } from './LaterMessages';

/** Where notifications, short messages and questions of antd appear. */
export default function Messages({ onReady }: { onReady: (api: Api) => void }) {
  return (
    <App component={false} notification={{ placement: 'bottomLeft', maxCount: 4 }} message={{ maxCount: 2 }}>
      <Ready onReady={onReady} />
    </App>
  );
}

function Ready({ onReady }: { onReady: (api: Api) => void }) {
  const api = App.useApp();
  useEffect(() => onReady(api), [api, onReady]);
  return null;
}
