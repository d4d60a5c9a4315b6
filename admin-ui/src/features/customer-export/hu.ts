export { default } from '../order-export/hu';
