import { QRCode } from 'antd';

/** A code for the camera of another device, black on white in both themes: cameras expect it. */
export function QrCode({ value, label }: { value: string; label: string }) {
  return (
    <div className="account-qr" role="img" aria-label={label}>
      <span aria-hidden>
        <QRCode type="svg" value={value} size={188} bordered={false} color="#000000" bgColor="#ffffff" />
      </span>
    </div>
  );
}
