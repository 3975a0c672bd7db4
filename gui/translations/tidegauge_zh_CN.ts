<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>  broker {broker}</source>
        <translation>  broker {broker}</translation>
    </message>
    <message>
        <source> beside </source>
        <translation> 对比 </translation>
    </message>
    <message>
        <source> of broker {broker}</source>
        <translation>（broker {broker}）</translation>
    </message>
    <message>
        <source> of brokers {brokers}</source>
        <translation>（broker {brokers}）</translation>
    </message>
    <message>
        <source>(the folder itself)</source>
        <translation>（文件夹本身）</translation>
    </message>
    <message>
        <source>, {first} to {last}</source>
        <translation>，{first} 至 {last}</translation>
    </message>
    <message>
        <source>.</source>
        <translation>。</translation>
    </message>
    <message>
        <source>. </source>
        <translation>。</translation>
    </message>
    <message>
        <source>1 broker</source>
        <translation>1 个 broker</translation>
    </message>
    <message>
        <source>1 data directory</source>
        <translation>1 个数据目录</translation>
    </message>
    <message>
        <source>1 event</source>
        <translation>1 个事件</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 个文件</translation>
    </message>
    <message>
        <source>1 file read</source>
        <translation>读取 1 个文件</translation>
    </message>
    <message>
        <source>1 finding was made by a later version and is not shown</source>
        <translation>有 1 项发现由更新的版本写入，此处不显示</translation>
    </message>
    <message>
        <source>1 gap</source>
        <translation>1 处缺口</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>1 log</source>
        <translation>1 个日志</translation>
    </message>
    <message>
        <source>1 note is not saved in a document yet.</source>
        <translation>有 1 条批注尚未保存到文档中。</translation>
    </message>
    <message>
        <source>1 note was written by a later version and is not shown</source>
        <translation>有 1 条批注由更新的版本写入，此处不显示</translation>
    </message>
    <message>
        <source>1 {kind} record lost</source>
        <translation>丢失 1 条{kind}记录</translation>
    </message>
    <message>
        <source>; no more from here</source>
        <translation>；此后没有了</translation>
    </message>
    <message>
        <source>A single timeline has no steps</source>
        <translation>单条时间线没有步骤</translation>
    </message>
    <message>
        <source>A tie holds events together; there is none here</source>
        <translation>绑定的是事件；此处没有事件</translation>
    </message>
    <message>
        <source>A time, position, offset, epoch, step or line</source>
        <translation>时间、位置、偏移量、纪元、步骤或行</translation>
    </message>
    <message>
        <source>A visual debugger for Kafka replication.</source>
        <translation>Kafka 复制的可视化调试器。</translation>
    </message>
    <message>
        <source>A4 landscape</source>
        <translation>A4 横向</translation>
    </message>
    <message>
        <source>A4 portrait</source>
        <translation>A4 纵向</translation>
    </message>
    <message>
        <source>About Tidegauge</source>
        <translation>关于 Tidegauge</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Actions and keys</source>
        <translation>操作与按键</translation>
    </message>
    <message>
        <source>Add a folder of logs…</source>
        <translation>添加日志文件夹…</translation>
    </message>
    <message>
        <source>Add logs to {name}</source>
        <translation>向 {name} 添加日志</translation>
    </message>
    <message>
        <source>Add logs…</source>
        <translation>添加日志…</translation>
    </message>
    <message>
        <source>Add note</source>
        <translation>加批注</translation>
    </message>
    <message>
        <source>Add run</source>
        <translation>加运行</translation>
    </message>
    <message>
        <source>After step {step}, instead of what followed:</source>
        <translation>在第 {step} 步之后，改为：</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>All lanes open, in their usual order</source>
        <translation>所有泳道展开，恢复通常顺序</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>All partitions</source>
        <translation>所有分区</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>所有运行</translation>
    </message>
    <message>
        <source>All that can be read (*);;Documents (*.tide);;Archives (*.tar *.tar.gz *.tgz *.tar.xz *.zip)</source>
        <translation>所有可读的 (*);;文档 (*.tide);;归档 (*.tar *.tar.gz *.tgz *.tar.xz *.zip)</translation>
    </message>
    <message>
        <source>Amber</source>
        <translation>琥珀色</translation>
    </message>
    <message>
        <source>An arrow ends at another event of the same run</source>
        <translation>箭头须终止于同一次运行的另一个事件</translation>
    </message>
    <message>
        <source>An arrow goes from event to event; there is none here</source>
        <translation>箭头从事件指向事件；此处没有事件</translation>
    </message>
    <message>
        <source>Apache License 2.0. Inter, JetBrains Mono and Noto Sans SC are under the SIL Open Font License 1.1. Apache Kafka is a trademark of the Apache Software Foundation.</source>
        <translation>Apache License 2.0。Inter、JetBrains Mono 和 Noto Sans SC 采用 SIL Open Font License 1.1。Apache Kafka 是 Apache Software Foundation 的商标。</translation>
    </message>
    <message>
        <source>Arrow</source>
        <translation>箭头</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Back to the place before</source>
        <translation>回到上一处</translation>
    </message>
    <message>
        <source>Begin a range here, then end it</source>
        <translation>在此开始范围，再结束它</translation>
    </message>
    <message>
        <source>Begin an arrow at this event, then end it</source>
        <translation>从此事件开始画箭头，再次按下则结束</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Bookmark at this position</source>
        <translation>在此位置加书签</translation>
    </message>
    <message>
        <source>Bookmark: {text}. F2 names it, Delete removes it</source>
        <translation>书签：{text}。F2 命名，Delete 删除</translation>
    </message>
    <message>
        <source>Bounds are boxes</source>
        <translation>界限画成方框</translation>
    </message>
    <message>
        <source>Bounds as boxes, or only their edges</source>
        <translation>界限画成方框，或只画边线</translation>
    </message>
    <message>
        <source>Broker</source>
        <translation>Broker</translation>
    </message>
    <message>
        <source>Broker {broker}</source>
        <translation>Broker {broker}</translation>
    </message>
    <message>
        <source>Broker {broker}: {evidence}</source>
        <translation>Broker {broker}：{evidence}</translation>
    </message>
    <message>
        <source>Brokers</source>
        <translation>Broker</translation>
    </message>
    <message>
        <source>Brokers over time</source>
        <translation>各 broker 随时间</translation>
    </message>
    <message>
        <source>Brokers that were found</source>
        <translation>找到的 broker</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>图注</translation>
    </message>
    <message>
        <source>Caption of the figure</source>
        <translation>图的图注</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Change the selected note or bookmark</source>
        <translation>修改选中的批注或书签</translation>
    </message>
    <message>
        <source>Choose one to four eras to run the scenario in</source>
        <translation>请选择一到四个时代来运行场景</translation>
    </message>
    <message>
        <source>Choose the folder that holds the brokers&apos; logs</source>
        <translation>请选择存放各 broker 日志的文件夹</translation>
    </message>
    <message>
        <source>Choose the partition…</source>
        <translation>选择分区…</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Clients</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the overlay, clear the selection</source>
        <translation>关闭浮层，清除选择</translation>
    </message>
    <message>
        <source>Close what is open</source>
        <translation>关闭当前内容</translation>
    </message>
    <message>
        <source>Colour of the note</source>
        <translation>批注的颜色</translation>
    </message>
    <message>
        <source>Committed loss, acknowledged loss, possible loss, logs that differ, and on by the rank of the worst finding. Of one rank: more records first, then the earlier one. A possible loss counts by its upper bound.</source>
        <translation>依次为已提交记录丢失、已确认记录丢失、可能的丢失、日志不一致，其后按最严重发现的等级。等级相同时记录多者在前，再按时间先后。可能的丢失按上界计。</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Copied as a picture</source>
        <translation>已复制为图片</translation>
    </message>
    <message>
        <source>Copy as picture</source>
        <translation>复制为图片</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文字</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Copy the marked text, the lines, or what the inspector says</source>
        <translation>复制选中的文字、日志行或检查器的内容</translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation>复制版本信息</translation>
    </message>
    <message>
        <source>Copy with file and line</source>
        <translation>连同文件和行号复制</translation>
    </message>
    <message>
        <source>Cursor</source>
        <translation>光标</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>Cuts</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>Damaged</source>
        <translation>损坏</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Delete the selected note or bookmark</source>
        <translation>删除选中的批注或书签</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Difference {place} of {count}</source>
        <translation>差异 {place} / {count}</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>知道了</translation>
    </message>
    <message>
        <source>Drag to move this panel; double click to tear it off, or to put it back</source>
        <translation>拖动可移动此面板；双击可将其分离为独立窗口，或放回原处</translation>
    </message>
    <message>
        <source>Drop broker logs here, or replay a scenario</source>
        <translation>把 broker 日志拖到这里，或重放一个场景</translation>
    </message>
    <message>
        <source>Each opens where its answer is seen</source>
        <translation>每一项都打开到能看到答案的位置</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Elect.</source>
        <translation>选举</translation>
    </message>
    <message>
        <source>Election</source>
        <translation>选举</translation>
    </message>
    <message>
        <source>Enter goes to the event that made the value what it is, Esc goes back</source>
        <translation>Enter 转到造成此值的事件，Esc 返回</translation>
    </message>
    <message>
        <source>Enter keeps, Esc cancels</source>
        <translation>Enter 保留，Esc 取消</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>纪元</translation>
    </message>
    <message>
        <source>Epoch cache</source>
        <translation>纪元缓存</translation>
    </message>
    <message>
        <source>Eras</source>
        <translation>时代</translation>
    </message>
    <message>
        <source>Events (CSV)</source>
        <translation>事件 (CSV)</translation>
    </message>
    <message>
        <source>Events (JSON)</source>
        <translation>事件 (JSON)</translation>
    </message>
    <message>
        <source>Events (Parquet)</source>
        <translation>事件 (Parquet)</translation>
    </message>
    <message>
        <source>Events by kind</source>
        <translation>按种类的事件</translation>
    </message>
    <message>
        <source>Everything is left out: tick at least one file</source>
        <translation>全部被排除：至少勾选一个文件</translation>
    </message>
    <message>
        <source>Everything is saved</source>
        <translation>全部已保存</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>Evidence covers</source>
        <translation>证据覆盖</translation>
    </message>
    <message>
        <source>Evidence lines</source>
        <translation>证据行</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>已导出</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>加快</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File and line</source>
        <translation>文件与行</translation>
    </message>
    <message>
        <source>Files (lines read, noise, not understood, damaged)</source>
        <translation>文件（已读行、噪声、不理解、损坏）</translation>
    </message>
    <message>
        <source>Files that were found</source>
        <translation>找到的文件</translation>
    </message>
    <message>
        <source>Files, by what became of their lines</source>
        <translation>文件及其各行的去向</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find an action or a key</source>
        <translation>查找操作或按键</translation>
    </message>
    <message>
        <source>Find an event, offset, time or command</source>
        <translation>查找事件、偏移量、时间或命令</translation>
    </message>
    <message>
        <source>Find in events and raw lines…</source>
        <translation>在事件和原始行中查找…</translation>
    </message>
    <message>
        <source>Find it in the raw lines with Ctrl+F</source>
        <translation>用 Ctrl+F 在原始行中查找</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Finding 1</source>
        <translation>发现 1</translation>
    </message>
    <message>
        <source>Finding 2</source>
        <translation>发现 2</translation>
    </message>
    <message>
        <source>Finding 3</source>
        <translation>发现 3</translation>
    </message>
    <message>
        <source>Finding 4</source>
        <translation>发现 4</translation>
    </message>
    <message>
        <source>Finding 5</source>
        <translation>发现 5</translation>
    </message>
    <message>
        <source>Finding 6</source>
        <translation>发现 6</translation>
    </message>
    <message>
        <source>Finding 7</source>
        <translation>发现 7</translation>
    </message>
    <message>
        <source>Finding 8</source>
        <translation>发现 8</translation>
    </message>
    <message>
        <source>Finding 9</source>
        <translation>发现 9</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Findings and notes</source>
        <translation>发现与批注</translation>
    </message>
    <message>
        <source>Findings of each broker over time</source>
        <translation>各 broker 随时间的发现</translation>
    </message>
    <message>
        <source>Findings, notes, ledger</source>
        <translation>发现、批注、丢失账目</translation>
    </message>
    <message>
        <source>Findings, worst first</source>
        <translation>发现，最严重的在前</translation>
    </message>
    <message>
        <source>First difference</source>
        <translation>首个差异</translation>
    </message>
    <message>
        <source>First position</source>
        <translation>第一个位置</translation>
    </message>
    <message>
        <source>First time, UTC</source>
        <translation>起始时间，UTC</translation>
    </message>
    <message>
        <source>Fold all lanes but this one</source>
        <translation>折叠除此之外的所有泳道</translation>
    </message>
    <message>
        <source>Fold or unfold the lane</source>
        <translation>折叠或展开泳道</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Folders, archives (.tar.xz, .tar.gz, .zip), logs, data directories, Parquet, .tide documents</source>
        <translation>文件夹、归档（.tar.xz、.tar.gz、.zip）、日志、数据目录、Parquet、.tide 文档</translation>
    </message>
    <message>
        <source>Forget all ties by hand</source>
        <translation>取消所有手动绑定</translation>
    </message>
    <message>
        <source>Forward to the place after</source>
        <translation>前往下一处</translation>
    </message>
    <message>
        <source>Found out</source>
        <translation>得知</translation>
    </message>
    <message>
        <source>From here, something else happens…</source>
        <translation>从这里起，发生别的事…</translation>
    </message>
    <message>
        <source>From the start, instead:</source>
        <translation>从一开始，改为：</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Gaps of evidence</source>
        <translation>证据缺口</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Go to a time, position, offset or epoch…</source>
        <translation>转到时间、位置、偏移量或纪元…</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>绿色</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Hidden in it: {names}</source>
        <translation>其中已隐藏：{names}</translation>
    </message>
    <message>
        <source>Hide behind stable names</source>
        <translation>以固定代号隐藏</translation>
    </message>
    <message>
        <source>Hide or show messages</source>
        <translation>隐藏或显示消息</translation>
    </message>
    <message>
        <source>Hide the lane</source>
        <translation>隐藏泳道</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>High contrast, or as the desktop</source>
        <translation>高对比度，或随桌面</translation>
    </message>
    <message>
        <source>High watermark</source>
        <translation>高水位</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>How it is known</source>
        <translation>如何得知</translation>
    </message>
    <message>
        <source>ISR unknown</source>
        <translation>ISR 未知</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Import report</source>
        <translation>导入报告</translation>
    </message>
    <message>
        <source>Import report of {name}</source>
        <translation>{name} 的导入报告</translation>
    </message>
    <message>
        <source>Import {first}</source>
        <translation>导入 {first}</translation>
    </message>
    <message>
        <source>Import {first} and {count} more</source>
        <translation>导入 {first} 及另外 {count} 项</translation>
    </message>
    <message>
        <source>Ink</source>
        <translation>墨色</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>It is not text in UTF-8</source>
        <translation>不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>Its place is not in what is open: the evidence it was tied to is missing.</source>
        <translation>其位置不在当前打开的内容中：它所依附的证据缺失。</translation>
    </message>
    <message>
        <source>Kafka log</source>
        <translation>Kafka 日志</translation>
    </message>
    <message>
        <source>Kafka version unknown</source>
        <translation>Kafka 版本未知</translation>
    </message>
    <message>
        <source>Kafka {names}</source>
        <translation>Kafka {names}</translation>
    </message>
    <message>
        <source>Kafka {version}</source>
        <translation>Kafka {version}</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Keys of this window</source>
        <translation>此窗口的按键</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Kind of event</source>
        <translation>事件种类</translation>
    </message>
    <message>
        <source>Landed as</source>
        <translation>落为</translation>
    </message>
    <message>
        <source>Lanes as shown</source>
        <translation>泳道如窗口所示</translation>
    </message>
    <message>
        <source>Lanes as the replicas were assigned</source>
        <translation>泳道按副本分配的顺序</translation>
    </message>
    <message>
        <source>Lanes by broker id</source>
        <translation>泳道按 broker 编号</translation>
    </message>
    <message>
        <source>Lanes by how many records differ or were cut, most first</source>
        <translation>泳道按不同或被截断的记录数，最多的在前</translation>
    </message>
    <message>
        <source>Lanes with who leads at the cursor first</source>
        <translation>泳道：光标处的领导者在最前</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Last election</source>
        <translation>最后一次选举</translation>
    </message>
    <message>
        <source>Last position</source>
        <translation>最后的位置</translation>
    </message>
    <message>
        <source>Last time, UTC</source>
        <translation>结束时间，UTC</translation>
    </message>
    <message>
        <source>Layout and zone, or why not</source>
        <translation>布局与时区，或原因</translation>
    </message>
    <message>
        <source>Layout, or why not</source>
        <translation>布局，或原因</translation>
    </message>
    <message>
        <source>Leader before the loss</source>
        <translation>丢失前的领导者</translation>
    </message>
    <message>
        <source>Leader epoch</source>
        <translation>领导者纪元</translation>
    </message>
    <message>
        <source>Leader epochs are {first} to {last}</source>
        <translation>领导者纪元为 {first} 至 {last}</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Letters as shapes</source>
        <translation>文字转为轮廓</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
    </message>
    <message>
        <source>Line {line}: {fault}</source>
        <translation>第 {line} 行：{fault}</translation>
    </message>
    <message>
        <source>Line, or what is missing</source>
        <translation>行，或缺失的内容</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Log end</source>
        <translation>日志末端</translation>
    </message>
    <message>
        <source>Log end at the end</source>
        <translation>结束时的日志末端</translation>
    </message>
    <message>
        <source>Log start</source>
        <translation>日志起点</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Logs and disks of three Kafka 0.10.2 brokers.</source>
        <translation>三个 Kafka 0.10.2 broker 的日志与磁盘。</translation>
    </message>
    <message>
        <source>Logs and disks of three Kafka 2.8 brokers under the same faults.</source>
        <translation>相同故障下三个 Kafka 2.8 broker 的日志与磁盘。</translation>
    </message>
    <message>
        <source>Logs at the cursor</source>
        <translation>光标处的日志</translation>
    </message>
    <message>
        <source>Logs cut</source>
        <translation>截断的日志</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>Loss ledger</source>
        <translation>丢失账目</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>Menu (F10)</source>
        <translation>菜单 (F10)</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Messages are hidden</source>
        <translation>消息已隐藏</translation>
    </message>
    <message>
        <source>Messages are shown</source>
        <translation>消息已显示</translation>
    </message>
    <message>
        <source>Missing, or not understood</source>
        <translation>缺失或不理解</translation>
    </message>
    <message>
        <source>Move the lane down</source>
        <translation>下移泳道</translation>
    </message>
    <message>
        <source>Move the lane up</source>
        <translation>上移泳道</translation>
    </message>
    <message>
        <source>Moving picture (GIF)</source>
        <translation>动图 (GIF)</translation>
    </message>
    <message>
        <source>N or B adds one</source>
        <translation>N 或 B 添加</translation>
    </message>
    <message>
        <source>Name the data set that is to be written</source>
        <translation>请指定要写入的数据集</translation>
    </message>
    <message>
        <source>Narration</source>
        <translation>叙述</translation>
    </message>
    <message>
        <source>Narration: the timeline as sentences</source>
        <translation>叙述：以句子讲述时间线</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>New scenario</source>
        <translation>新建场景</translation>
    </message>
    <message>
        <source>Next (F3)</source>
        <translation>下一个 (F3)</translation>
    </message>
    <message>
        <source>Next change of the in-sync set</source>
        <translation>下一次同步集合变化</translation>
    </message>
    <message>
        <source>Next crash, stop or start</source>
        <translation>下一次崩溃、停止或启动</translation>
    </message>
    <message>
        <source>Next difference</source>
        <translation>下一处差异</translation>
    </message>
    <message>
        <source>Next election</source>
        <translation>下一次选举</translation>
    </message>
    <message>
        <source>Next evidence gap</source>
        <translation>下一处证据空缺</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一个结果</translation>
    </message>
    <message>
        <source>Next loss</source>
        <translation>下一处丢失</translation>
    </message>
    <message>
        <source>Next note or bookmark</source>
        <translation>下一个批注或书签</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>下一个窗格</translation>
    </message>
    <message>
        <source>Next step or distinct time</source>
        <translation>下一步或下一时刻</translation>
    </message>
    <message>
        <source>Next truncation</source>
        <translation>下一次截断</translation>
    </message>
    <message>
        <source>No cause is known for this event</source>
        <translation>此事件没有已知的原因</translation>
    </message>
    <message>
        <source>No earlier {what} from here</source>
        <translation>此前没有更早的{what}</translation>
    </message>
    <message>
        <source>No era is chosen</source>
        <translation>没有选择时代</translation>
    </message>
    <message>
        <source>No event here comes from line {value:,} of {name}</source>
        <translation>这里没有事件来自 {name} 的第 {value:,} 行</translation>
    </message>
    <message>
        <source>No leader epoch is known</source>
        <translation>没有已知的领导者纪元</translation>
    </message>
    <message>
        <source>No line is kept for this event.</source>
        <translation>此事件没有保留的行。</translation>
    </message>
    <message>
        <source>No line of {name} is used for {shown}</source>
        <translation>{name} 中没有行用于 {shown}</translation>
    </message>
    <message>
        <source>No line says in which time zone the logs{of} were written: UTC is taken, unless their clocks show another.</source>
        <translation>没有任何行说明日志{of}用哪个时区写成：除非其时钟表明另一个，否则按 UTC。</translation>
    </message>
    <message>
        <source>No log end and no high watermark passes it here</source>
        <translation>这里没有日志末端或高水位越过它</translation>
    </message>
    <message>
        <source>No more {what} from here</source>
        <translation>此后没有更晚的{what}</translation>
    </message>
    <message>
        <source>No partition fits what is asked for.</source>
        <translation>没有分区符合要求。</translation>
    </message>
    <message>
        <source>No value has that name.</source>
        <translation>没有这个名称的值。</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>Not known whose</source>
        <translation>归属未知</translation>
    </message>
    <message>
        <source>Not understood, or not there</source>
        <translation>不理解或不存在</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>批注</translation>
    </message>
    <message>
        <source>Note on a range</source>
        <translation>区间批注</translation>
    </message>
    <message>
        <source>Note on a replica</source>
        <translation>副本批注</translation>
    </message>
    <message>
        <source>Note on what is selected, marked or here</source>
        <translation>为所选、所标记或此处写批注</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>批注</translation>
    </message>
    <message>
        <source>Notes and bookmarks, by position</source>
        <translation>批注与书签，按位置</translation>
    </message>
    <message>
        <source>Notes are now written into {path} as they are made</source>
        <translation>批注从现在起随写随存到 {path}</translation>
    </message>
    <message>
        <source>Notes are written into {path} as they are made</source>
        <translation>批注随写随存到 {path}</translation>
    </message>
    <message>
        <source>Notes that were not saved are still here</source>
        <translation>未保存的笔记仍在这里</translation>
    </message>
    <message>
        <source>Notes, bookmarks</source>
        <translation>批注、书签</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>未发现问题</translation>
    </message>
    <message>
        <source>Nothing has that name.</source>
        <translation>没有这个名称。</translation>
    </message>
    <message>
        <source>Nothing has that name. Try fewer letters.</source>
        <translation>没有这个名称。请少输入几个字母。</translation>
    </message>
    <message>
        <source>Nothing here has all of these words.</source>
        <translation>没有同时包含这些词的条目。</translation>
    </message>
    <message>
        <source>Nothing is known at {said}</source>
        <translation>{said} 时没有已知内容</translation>
    </message>
    <message>
        <source>Nothing is open</source>
        <translation>未打开任何内容</translation>
    </message>
    <message>
        <source>Nothing is open.</source>
        <translation>未打开任何内容。</translation>
    </message>
    <message>
        <source>Nothing is said of offset {offset:,}</source>
        <translation>没有关于偏移量 {offset:,} 的内容</translation>
    </message>
    <message>
        <source>Nothing is tied by hand here</source>
        <translation>此处没有手动绑定</translation>
    </message>
    <message>
        <source>Nothing lost, nothing diverged in what the evidence covers.</source>
        <translation>在证据覆盖范围内没有丢失，也没有分歧。</translation>
    </message>
    <message>
        <source>Nothing that is known of.</source>
        <translation>没有已知的。</translation>
    </message>
    <message>
        <source>Nothing was typed</source>
        <translation>没有输入</translation>
    </message>
    <message>
        <source>Of bounds only the edges are shown</source>
        <translation>界限只画边线</translation>
    </message>
    <message>
        <source>Of which value? Log end, high watermark, role, in-sync set, …</source>
        <translation>哪个值？日志末端、高水位、角色、同步集合……</translation>
    </message>
    <message>
        <source>Offset</source>
        <translation>偏移量</translation>
    </message>
    <message>
        <source>Offsets</source>
        <translation>偏移量</translation>
    </message>
    <message>
        <source>One position back</source>
        <translation>后退一个位置</translation>
    </message>
    <message>
        <source>One position forward</source>
        <translation>前进一个位置</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open a folder of logs</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <source>Open a folder of logs…</source>
        <translation>打开日志文件夹…</translation>
    </message>
    <message>
        <source>Open a folder…</source>
        <translation>打开文件夹…</translation>
    </message>
    <message>
        <source>Open a scenario…</source>
        <translation>打开场景…</translation>
    </message>
    <message>
        <source>Open files or archives…</source>
        <translation>打开文件或归档…</translation>
    </message>
    <message>
        <source>Open files…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Open the menu</source>
        <translation>打开菜单</translation>
    </message>
    <message>
        <source>Open them</source>
        <translation>打开它们</translation>
    </message>
    <message>
        <source>Opened before</source>
        <translation>之前打开过</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Order lanes: broker id, leader first, by divergence</source>
        <translation>泳道排序：broker 编号、领导者在前、按分歧</translation>
    </message>
    <message>
        <source>Own text</source>
        <translation>自己的文本</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF 文件</translation>
    </message>
    <message>
        <source>Page that scrubs by itself (HTML)</source>
        <translation>可自行拖动的网页 (HTML)</translation>
    </message>
    <message>
        <source>Pan to earlier</source>
        <translation>向更早平移</translation>
    </message>
    <message>
        <source>Pan to later</source>
        <translation>向更晚平移</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>Partitions, worst first</source>
        <translation>分区，最严重的在前</translation>
    </message>
    <message>
        <source>Patterns for print in grey</source>
        <translation>灰度打印用图案</translation>
    </message>
    <message>
        <source>Picture (*.png);;Vector picture (*.svg);;PDF (*.pdf);;Page that scrubs by itself (*.html);;Events (*.csv);;Events (*.json);;Events (*.parquet);;Text (*.txt)</source>
        <translation>图片 (*.png);;矢量图 (*.svg);;PDF (*.pdf);;可自行回放的网页 (*.html);;事件 (*.csv);;事件 (*.json);;事件 (*.parquet);;文字 (*.txt)</translation>
    </message>
    <message>
        <source>Picture (PNG)</source>
        <translation>图片 (PNG)</translation>
    </message>
    <message>
        <source>Pin the lane on top, or let go of it</source>
        <translation>将泳道固定在顶部，或取消固定</translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation>像素</translation>
    </message>
    <message>
        <source>Pixels of the picture</source>
        <translation>图片的像素</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>Pointed</source>
        <translation>尖形</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Positions are 0 to {last:,}</source>
        <translation>位置为 0 至 {last:,}</translation>
    </message>
    <message>
        <source>Preview of the first page</source>
        <translation>首页预览</translation>
    </message>
    <message>
        <source>Previous (Shift+F3)</source>
        <translation>上一个 (Shift+F3)</translation>
    </message>
    <message>
        <source>Previous change of the in-sync set</source>
        <translation>上一次同步集合变化</translation>
    </message>
    <message>
        <source>Previous crash, stop or start</source>
        <translation>上一次崩溃、停止或启动</translation>
    </message>
    <message>
        <source>Previous difference</source>
        <translation>上一处差异</translation>
    </message>
    <message>
        <source>Previous election</source>
        <translation>上一次选举</translation>
    </message>
    <message>
        <source>Previous evidence gap</source>
        <translation>上一处证据空缺</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一个结果</translation>
    </message>
    <message>
        <source>Previous loss</source>
        <translation>上一处丢失</translation>
    </message>
    <message>
        <source>Previous note or bookmark</source>
        <translation>上一个批注或书签</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>上一个窗格</translation>
    </message>
    <message>
        <source>Previous step or distinct time</source>
        <translation>上一步或上一时刻</translation>
    </message>
    <message>
        <source>Previous truncation</source>
        <translation>上一次截断</translation>
    </message>
    <message>
        <source>Process logs with Spark</source>
        <translation>用 Spark 处理日志</translation>
    </message>
    <message>
        <source>Process logs with Spark…</source>
        <translation>用 Spark 处理日志…</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Put another run beside it…</source>
        <translation>并排放入另一次运行…</translation>
    </message>
    <message>
        <source>Questions and scenarios</source>
        <translation>问题与场景</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Ranking</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>已读</translation>
    </message>
    <message>
        <source>Read in a process of its own; the data set is opened when it is done.</source>
        <translation>在单独的进程中读取；完成后打开数据集。</translation>
    </message>
    <message>
        <source>Real clusters</source>
        <translation>真实集群</translation>
    </message>
    <message>
        <source>Record keys</source>
        <translation>记录键</translation>
    </message>
    <message>
        <source>Records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Records lost</source>
        <translation>丢失的记录</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Regex</source>
        <translation>正则</translation>
    </message>
    <message>
        <source>Removed from</source>
        <translation>从何处删除</translation>
    </message>
    <message>
        <source>Replace what is there</source>
        <translation>替换已有内容</translation>
    </message>
    <message>
        <source>Replaying the scenarios</source>
        <translation>正在重放场景</translation>
    </message>
    <message>
        <source>Replica</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>Replicas agree at the end</source>
        <translation>结束时副本一致</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>恢复默认布局</translation>
    </message>
    <message>
        <source>Roles at {time}, as chosen above</source>
        <translation>{time} 时的角色（在上方选定）</translation>
    </message>
    <message>
        <source>Roles at {time}, at the cursor</source>
        <translation>{time} 时的角色（光标处）</translation>
    </message>
    <message>
        <source>Roles of brokers, by partition</source>
        <translation>各分区中 broker 的角色</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>圆形</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run the scenario</source>
        <translation>运行场景</translation>
    </message>
    <message>
        <source>Run whose report is shown</source>
        <translation>显示哪次运行的报告</translation>
    </message>
    <message>
        <source>Run {run}</source>
        <translation>运行 {run}</translation>
    </message>
    <message>
        <source>Run {run} is in the tie; now = at the same moment of run {left}. Esc forgets it</source>
        <translation>运行 {run} 已在绑定中；请在运行 {left} 的同一时刻按 =。Esc 取消</translation>
    </message>
    <message>
        <source>Run {run}, </source>
        <translation>运行 {run}，</translation>
    </message>
    <message>
        <source>Run {run}: </source>
        <translation>运行 {run}：</translation>
    </message>
    <message>
        <source>Runs {first} and {last}</source>
        <translation>运行 {first} 和 {last}</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save the scenario…</source>
        <translation>保存场景…</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Scenario and simulator</source>
        <translation>场景与模拟器</translation>
    </message>
    <message>
        <source>Scenario as TOML</source>
        <translation>TOML 格式的场景</translation>
    </message>
    <message>
        <source>Scenario of the library</source>
        <translation>内置场景</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Scenarios (*.toml)</source>
        <translation>场景 (*.toml)</translation>
    </message>
    <message>
        <source>Screen</source>
        <translation>屏幕</translation>
    </message>
    <message>
        <source>Screen or wiki</source>
        <translation>屏幕或 Wiki 页面</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Search and commands</source>
        <translation>搜索与命令</translation>
    </message>
    <message>
        <source>Search and commands…</source>
        <translation>搜索与命令…</translation>
    </message>
    <message>
        <source>Searching events</source>
        <translation>正在搜索事件</translation>
    </message>
    <message>
        <source>Searching lines</source>
        <translation>正在搜索行</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>Select the lane above</source>
        <translation>选择上一条泳道</translation>
    </message>
    <message>
        <source>Select the lane below</source>
        <translation>选择下一条泳道</translation>
    </message>
    <message>
        <source>Select what is at the cursor; again: its evidence</source>
        <translation>选中光标处的事件；再按一次：其证据</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>选中</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Shape of the note</source>
        <translation>批注的形状</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show partitions with</source>
        <translation>显示包含以下内容的分区</translation>
    </message>
    <message>
        <source>Show questions and scenarios with</source>
        <translation>筛选问题与场景</translation>
    </message>
    <message>
        <source>Show the hidden lanes</source>
        <translation>显示被隐藏的泳道</translation>
    </message>
    <message>
        <source>Show the marked range whole</source>
        <translation>完整显示标出的范围</translation>
    </message>
    <message>
        <source>Simulated, in Kafka {first} and {last}</source>
        <translation>模拟，Kafka {first} 和 {last}</translation>
    </message>
    <message>
        <source>Simulated, seed {seed}</source>
        <translation>模拟，种子 {seed}</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Slide, 16:9</source>
        <translation>幻灯片，16:9</translation>
    </message>
    <message>
        <source>Slower</source>
        <translation>减慢</translation>
    </message>
    <message>
        <source>Some times have no year: say in which year these logs begin</source>
        <translation>有些时间没有年份：请说明这些日志从哪一年开始</translation>
    </message>
    <message>
        <source>Some times have no year: {year} is taken for their beginning.</source>
        <translation>有些时间没有年份：开头按 {year} 年。</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Spark is reading logs already</source>
        <translation>Spark 已在读取日志</translation>
    </message>
    <message>
        <source>Spark master</source>
        <translation>Spark 主节点</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Speed of the moving picture</source>
        <translation>动图的速度</translation>
    </message>
    <message>
        <source>Speed: [ slower, ] faster</source>
        <translation>速度：[ 减慢，] 加快</translation>
    </message>
    <message>
        <source>Square</source>
        <translation>方形</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Steps are 1 to {last}</source>
        <translation>步骤为 1 至 {last}</translation>
    </message>
    <message>
        <source>Survives on</source>
        <translation>仍存于</translation>
    </message>
    <message>
        <source>Switches</source>
        <translation>开关</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Text in events and raw lines</source>
        <translation>事件和原始行中的文字</translation>
    </message>
    <message>
        <source>Text of the note</source>
        <translation>批注文字</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Text to find</source>
        <translation>要查找的文字</translation>
    </message>
    <message>
        <source>The arrow begins here; Shift+A at another event ends it, Esc forgets it</source>
        <translation>箭头从这里开始；在另一个事件上按 Shift+A 结束，按 Esc 放弃</translation>
    </message>
    <message>
        <source>The data set is there</source>
        <translation>数据集已生成</translation>
    </message>
    <message>
        <source>The data set is there already: only files that are new or have changed are read.</source>
        <translation>数据集已存在：只读取新增或有变化的文件。</translation>
    </message>
    <message>
        <source>The events are from {begin} to {end}</source>
        <translation>事件从 {begin} 到 {end}</translation>
    </message>
    <message>
        <source>The first {most} of {count:,}; type more letters. </source>
        <translation>共 {count:,} 项中的前 {most} 项；请多输入几个字母。</translation>
    </message>
    <message>
        <source>The marked range</source>
        <translation>标记的区间</translation>
    </message>
    <message>
        <source>The marked stops</source>
        <translation>标记的停靠点</translation>
    </message>
    <message>
        <source>The pattern is not a regular expression</source>
        <translation>该模式不是正则表达式</translation>
    </message>
    <message>
        <source>The preview is being drawn …</source>
        <translation>正在绘制预览 …</translation>
    </message>
    <message>
        <source>The range begins here; R again ends it, Esc forgets it</source>
        <translation>范围从这里开始；再按 R 结束，Esc 取消</translation>
    </message>
    <message>
        <source>The real fix</source>
        <translation>真实的修复</translation>
    </message>
    <message>
        <source>The real loss</source>
        <translation>真实的丢失</translation>
    </message>
    <message>
        <source>The real loss beside the real fix</source>
        <translation>真实的丢失与真实的修复并排</translation>
    </message>
    <message>
        <source>The scenario cannot be read</source>
        <translation>无法读取场景</translation>
    </message>
    <message>
        <source>The text of the scenario is not saved in a file yet.</source>
        <translation>场景的文本还没有保存到文件。</translation>
    </message>
    <message>
        <source>The text size changes when Tidegauge is started again.</source>
        <translation>文字大小在 Tidegauge 下次启动时改变。</translation>
    </message>
    <message>
        <source>The ties of this comparison are not saved in a document yet.</source>
        <translation>此对比的绑定尚未保存到文档。</translation>
    </message>
    <message>
        <source>The zone{whose} is not known: {advice}</source>
        <translation>时区{whose}未知：{advice}</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Theme of the picture</source>
        <translation>图片的主题</translation>
    </message>
    <message>
        <source>There is no earlier place</source>
        <translation>没有更早的去处</translation>
    </message>
    <message>
        <source>There is no event in this partition</source>
        <translation>此分区没有事件</translation>
    </message>
    <message>
        <source>There is no later place</source>
        <translation>没有更晚的去处</translation>
    </message>
    <message>
        <source>There is no leader epoch {epoch}</source>
        <translation>没有领导者纪元 {epoch}</translation>
    </message>
    <message>
        <source>There is no position {value:,}</source>
        <translation>没有位置 {value:,}</translation>
    </message>
    <message>
        <source>There is no step {number}</source>
        <translation>没有步骤 {number}</translation>
    </message>
    <message>
        <source>There is nothing at {path}</source>
        <translation>{path} 处没有任何内容</translation>
    </message>
    <message>
        <source>These times</source>
        <translation>以下时间</translation>
    </message>
    <message>
        <source>This event stands in no lane</source>
        <translation>此事件不在任何泳道中</translation>
    </message>
    <message>
        <source>Tidegauge documents (*.tide)</source>
        <translation>Tidegauge 文档 (*.tide)</translation>
    </message>
    <message>
        <source>Tie this event to the same moment of another run</source>
        <translation>将此事件与另一次运行的同一时刻绑定</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Time zone</source>
        <translation>时区</translation>
    </message>
    <message>
        <source>Time zone of {broker}, {basis}</source>
        <translation>{broker} 的时区，{basis}</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Times in</source>
        <translation>时间所用时区</translation>
    </message>
    <message>
        <source>Times, UTC</source>
        <translation>时间 (UTC)</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Title of the figure</source>
        <translation>图的标题</translation>
    </message>
    <message>
        <source>To the cause</source>
        <translation>到其原因</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topic, partition or finding</source>
        <translation>主题、分区或发现</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Topics to import</source>
        <translation>要导入的主题</translation>
    </message>
    <message>
        <source>Triage</source>
        <translation>排查</translation>
    </message>
    <message>
        <source>Two recorded clusters, the same faults: Kafka 0.10.2 loses records that it had promised, 2.8 keeps them.</source>
        <translation>两个录制的集群，相同的故障：Kafka 0.10.2 丢失了它承诺过的记录，2.8 保住了它们。</translation>
    </message>
    <message>
        <source>Type an action, a partition, a finding or a scenario</source>
        <translation>输入操作、分区、发现或场景</translation>
    </message>
    <message>
        <source>Unclean elections</source>
        <translation>不干净的选举</translation>
    </message>
    <message>
        <source>Under min.insync.replicas</source>
        <translation>低于 min.insync.replicas</translation>
    </message>
    <message>
        <source>Under-replicated</source>
        <translation>副本不足</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>不理解</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Vector picture (SVG)</source>
        <translation>矢量图 (SVG)</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Vertical scale: chosen from what is shown</source>
        <translation>纵轴：按所示内容选择</translation>
    </message>
    <message>
        <source>Vertical scale: chosen, offsets, or lag</source>
        <translation>纵轴：自动、偏移量或落后量</translation>
    </message>
    <message>
        <source>Vertical scale: lag, counted from the leader&apos;s log end</source>
        <translation>纵轴：落后量，从领导者的日志末端算起</translation>
    </message>
    <message>
        <source>Vertical scale: offsets, from the log start on</source>
        <translation>纵轴：偏移量，从日志起点开始</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>紫色</translation>
    </message>
    <message>
        <source>Wait until it is done, or cancel it</source>
        <translation>请等待其完成，或将其取消</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎页</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>What every replica of a partition knew and held, why it changed, and which records were lost.</source>
        <translation>分区的每个副本知道什么、持有什么，为何改变，又丢失了哪些记录。</translation>
    </message>
    <message>
        <source>What follows</source>
        <translation>后果</translation>
    </message>
    <message>
        <source>What is missing or was not understood</source>
        <translation>缺失或不理解的内容</translation>
    </message>
    <message>
        <source>What is to be seen here?</source>
        <translation>这里要看什么？</translation>
    </message>
    <message>
        <source>What is visible</source>
        <translation>当前可见部分</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>What readers asked</source>
        <translation>读者的问题</translation>
    </message>
    <message>
        <source>What stays in clear, and what is replaced</source>
        <translation>保留原文的内容与被替换的内容</translation>
    </message>
    <message>
        <source>What stays in clear…</source>
        <translation>保留原文的内容…</translation>
    </message>
    <message>
        <source>What the leader remembers</source>
        <translation>领导者记得的</translation>
    </message>
    <message>
        <source>What this run was made from</source>
        <translation>此运行由何而来</translation>
    </message>
    <message>
        <source>What was found of the selected partition</source>
        <translation>所选分区的发现</translation>
    </message>
    <message>
        <source>What was found out, and what would settle more</source>
        <translation>得知的内容，以及可进一步澄清的内容</translation>
    </message>
    <message>
        <source>What was typed is a regular expression</source>
        <translation>输入的是正则表达式</translation>
    </message>
    <message>
        <source>What would settle more</source>
        <translation>可进一步澄清的</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Where: {where}</source>
        <translation>位置：{where}</translation>
    </message>
    <message>
        <source>Which lane? Click its name, or point at it</source>
        <translation>哪条泳道？请点击其名称，或将鼠标指向它</translation>
    </message>
    <message>
        <source>Who last changed this value?</source>
        <translation>谁最后改变了这个值？</translation>
    </message>
    <message>
        <source>Who last changed this value?…</source>
        <translation>谁最后改变了这个值？…</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Width of the layout</source>
        <translation>版面宽度</translation>
    </message>
    <message>
        <source>With</source>
        <translation>包含</translation>
    </message>
    <message>
        <source>Without a leader</source>
        <translation>没有领导者</translation>
    </message>
    <message>
        <source>Words of a question or a story</source>
        <translation>问题或故事中的词</translation>
    </message>
    <message>
        <source>Worst finding</source>
        <translation>最严重的发现</translation>
    </message>
    <message>
        <source>Write a position or a time</source>
        <translation>请写位置或时间</translation>
    </message>
    <message>
        <source>Write it as 10:04:13.549</source>
        <translation>请写成 10:04:13.549</translation>
    </message>
    <message>
        <source>Write {forms}</source>
        <translation>请写 {forms}</translation>
    </message>
    <message>
        <source>Year</source>
        <translation>年份</translation>
    </message>
    <message>
        <source>Year in which logs without a year begin</source>
        <translation>没有年份的日志从哪一年开始</translation>
    </message>
    <message>
        <source>Zoom in at the cursor</source>
        <translation>在光标处放大</translation>
    </message>
    <message>
        <source>Zoom out at the cursor</source>
        <translation>在光标处缩小</translation>
    </message>
    <message>
        <source>a comparison is open</source>
        <translation>已打开对比</translation>
    </message>
    <message>
        <source>a folder, an archive or an address: s3://bucket/logs</source>
        <translation>文件夹、归档或网络地址：s3://bucket/logs</translation>
    </message>
    <message>
        <source>a lane is hidden</source>
        <translation>有泳道被隐藏</translation>
    </message>
    <message>
        <source>a note or bookmark is selected</source>
        <translation>选中了批注或书签</translation>
    </message>
    <message>
        <source>a range is marked on one timeline</source>
        <translation>在单条时间线上标出了范围</translation>
    </message>
    <message>
        <source>a simulated run</source>
        <translation>模拟运行</translation>
    </message>
    <message>
        <source>acknowledged</source>
        <translation>已确认</translation>
    </message>
    <message>
        <source>acknowledged, then gone</source>
        <translation>已确认，后丢失</translation>
    </message>
    <message>
        <source>aligned by step: exact</source>
        <translation>按步骤对齐：精确</translation>
    </message>
    <message>
        <source>aligned by {anchors} landmarks</source>
        <translation>按 {anchors} 个地标对齐</translation>
    </message>
    <message>
        <source>all, or a pattern: orders*</source>
        <translation>全部，或模式：orders*</translation>
    </message>
    <message>
        <source>any kind of event</source>
        <translation>任何种类的事件</translation>
    </message>
    <message>
        <source>arrow, broker {broker} to {other}, {where} to {end}</source>
        <translation>箭头，broker {broker} 至 {other}，{where} 至 {end}</translation>
    </message>
    <message>
        <source>as the era has it</source>
        <translation>按时代</translation>
    </message>
    <message>
        <source>as you said</source>
        <translation>由您指定</translation>
    </message>
    <message>
        <source>asked for once in a lifetime</source>
        <translation>难得用到一次</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>假定</translation>
    </message>
    <message>
        <source>assumed: no line says it</source>
        <translation>假定：没有行说明</translation>
    </message>
    <message>
        <source>at least {lo}</source>
        <translation>至少 {lo}</translation>
    </message>
    <message>
        <source>at most {hi}</source>
        <translation>至多 {hi}</translation>
    </message>
    <message>
        <source>before everything</source>
        <translation>一切之前</translation>
    </message>
    <message>
        <source>before → after</source>
        <translation>之前 → 之后</translation>
    </message>
    <message>
        <source>beside the run that it came from</source>
        <translation>与来源的运行并排</translation>
    </message>
    <message>
        <source>bookmark, {where}</source>
        <translation>书签，{where}</translation>
    </message>
    <message>
        <source>bounded</source>
        <translation>有界</translation>
    </message>
    <message>
        <source>broker {broker}</source>
        <translation>broker {broker}</translation>
    </message>
    <message>
        <source>broker {broker}, {where}</source>
        <translation>broker {broker}，{where}</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>change of the in-sync set</source>
        <translation>同步集合变化</translation>
    </message>
    <message>
        <source>chosen once; it is in the settings, too</source>
        <translation>选定一次即可；设置里也有</translation>
    </message>
    <message>
        <source>clean</source>
        <translation>干净</translation>
    </message>
    <message>
        <source>clean shutdown marker</source>
        <translation>干净关闭标记</translation>
    </message>
    <message>
        <source>click for a moment, drag for a stretch</source>
        <translation>点击选时刻，拖动选时段</translation>
    </message>
    <message>
        <source>clock: nothing ties it to the others{when}</source>
        <translation>时钟：没有内容把它与其他时钟联系起来{when}</translation>
    </message>
    <message>
        <source>clock: the measure of the others{when}</source>
        <translation>时钟：作为其他时钟的基准{when}</translation>
    </message>
    <message>
        <source>clock: {between} to be added; {told}{when}</source>
        <translation>时钟：应加 {between}；{told}{when}</translation>
    </message>
    <message>
        <source>committed</source>
        <translation>已提交</translation>
    </message>
    <message>
        <source>committed, then gone</source>
        <translation>已提交，后丢失</translation>
    </message>
    <message>
        <source>controlled</source>
        <translation>受控</translation>
    </message>
    <message>
        <source>count</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>crash, stop or start</source>
        <translation>崩溃、停止或启动</translation>
    </message>
    <message>
        <source>cuts</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>damaged line</source>
        <translation>损坏的行</translation>
    </message>
    <message>
        <source>danger</source>
        <translation>危险</translation>
    </message>
    <message>
        <source>data directory</source>
        <translation>数据目录</translation>
    </message>
    <message>
        <source>derived</source>
        <translation>推导得出</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>disk loss</source>
        <translation>磁盘丢失</translation>
    </message>
    <message>
        <source>divergence</source>
        <translation>分歧</translation>
    </message>
    <message>
        <source>drag to choose a stretch</source>
        <translation>拖动以选择一段</translation>
    </message>
    <message>
        <source>election</source>
        <translation>选举</translation>
    </message>
    <message>
        <source>elections</source>
        <translation>选举</translation>
    </message>
    <message>
        <source>elr</source>
        <translation>ELR</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>epoch cache</source>
        <translation>纪元缓存</translation>
    </message>
    <message>
        <source>epoch {epoch}: no leader</source>
        <translation>纪元 {epoch}：没有领导者</translation>
    </message>
    <message>
        <source>epoch {epoch}: {leader}</source>
        <translation>纪元 {epoch}：{leader}</translation>
    </message>
    <message>
        <source>era</source>
        <translation>时代</translation>
    </message>
    <message>
        <source>every line understood</source>
        <translation>每一行都理解</translation>
    </message>
    <message>
        <source>every line was understood, and nothing is missing</source>
        <translation>每一行都理解，没有缺失</translation>
    </message>
    <message>
        <source>evidence gap</source>
        <translation>证据空缺</translation>
    </message>
    <message>
        <source>e{epoch} from {start}</source>
        <translation>e{epoch} 自 {start}</translation>
    </message>
    <message>
        <source>first</source>
        <translation>首次</translation>
    </message>
    <message>
        <source>first {most:,} of {total:,}</source>
        <translation>共 {total:,} 个中的前 {most:,} 个</translation>
    </message>
    <message>
        <source>follower</source>
        <translation>跟随者</translation>
    </message>
    <message>
        <source>found in its lines</source>
        <translation>在其行中找到</translation>
    </message>
    <message>
        <source>from its path</source>
        <translation>来自其路径</translation>
    </message>
    <message>
        <source>from its source folder</source>
        <translation>来自源码文件夹</translation>
    </message>
    <message>
        <source>from offset</source>
        <translation>起始偏移量</translation>
    </message>
    <message>
        <source>from the logs beside it</source>
        <translation>来自旁边的日志</translation>
    </message>
    <message>
        <source>from, to</source>
        <translation>起止</translation>
    </message>
    <message>
        <source>gap</source>
        <translation>缺口</translation>
    </message>
    <message>
        <source>held</source>
        <translation>保持不变</translation>
    </message>
    <message>
        <source>high watermark</source>
        <translation>高水位</translation>
    </message>
    <message>
        <source>high watermark truncation</source>
        <translation>截断到高水位</translation>
    </message>
    <message>
        <source>ignored</source>
        <translation>无用</translation>
    </message>
    <message>
        <source>in the ISR</source>
        <translation>在 ISR 中</translation>
    </message>
    <message>
        <source>in the in-sync set</source>
        <translation>在同步集合中</translation>
    </message>
    <message>
        <source>in-sync set</source>
        <translation>同步集合</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>is up</source>
        <translation>在运行</translation>
    </message>
    <message>
        <source>its lines say so</source>
        <translation>其行中写明</translation>
    </message>
    <message>
        <source>its place is not in what is open</source>
        <translation>其位置不在当前打开的内容中</translation>
    </message>
    <message>
        <source>landmark {done} of {steps}</source>
        <translation>地标 {done} / {steps}</translation>
    </message>
    <message>
        <source>last-known</source>
        <translation>最后已知</translation>
    </message>
    <message>
        <source>lasts</source>
        <translation>持续</translation>
    </message>
    <message>
        <source>leader</source>
        <translation>领导者</translation>
    </message>
    <message>
        <source>leader epoch</source>
        <translation>领导者纪元</translation>
    </message>
    <message>
        <source>leader epoch checkpoint</source>
        <translation>领导者纪元检查点</translation>
    </message>
    <message>
        <source>log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>log end</source>
        <translation>日志末端</translation>
    </message>
    <message>
        <source>log end offset</source>
        <translation>日志末端</translation>
    </message>
    <message>
        <source>log of another program</source>
        <translation>其他程序的日志</translation>
    </message>
    <message>
        <source>log start</source>
        <translation>日志起点</translation>
    </message>
    <message>
        <source>log start offset</source>
        <translation>日志起点</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>losses</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>metadata log</source>
        <translation>元数据日志</translation>
    </message>
    <message>
        <source>never committed</source>
        <translation>从未提交</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no gaps</source>
        <translation>没有缺口</translation>
    </message>
    <message>
        <source>no line for this position</source>
        <translation>此位置没有行</translation>
    </message>
    <message>
        <source>no more</source>
        <translation>没有了</translation>
    </message>
    <message>
        <source>no pattern</source>
        <translation>不是模式</translation>
    </message>
    <message>
        <source>nobody says whose it is</source>
        <translation>没有说明归属</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not in the ISR</source>
        <translation>不在 ISR 中</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>未读取</translation>
    </message>
    <message>
        <source>not replicated</source>
        <translation>未复制</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>不理解</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>nothing was</source>
        <translation>未加</translation>
    </message>
    <message>
        <source>notice</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>observed</source>
        <translation>观察到</translation>
    </message>
    <message>
        <source>of no release: a person&apos;s</source>
        <translation>不属于任何版本，由人设定</translation>
    </message>
    <message>
        <source>offline</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>偏移量</translation>
    </message>
    <message>
        <source>offset checkpoint</source>
        <translation>偏移量检查点</translation>
    </message>
    <message>
        <source>one timeline is open</source>
        <translation>打开的是单条时间线</translation>
    </message>
    <message>
        <source>one trace is open</source>
        <translation>打开的是一条轨迹</translation>
    </message>
    <message>
        <source>one trace is open, and it was made from logs</source>
        <translation>打开的是一条由日志得到的轨迹</translation>
    </message>
    <message>
        <source>only when {need}</source>
        <translation>仅当{need}时</translation>
    </message>
    <message>
        <source>output of a tool</source>
        <translation>工具的输出</translation>
    </message>
    <message>
        <source>partition epoch</source>
        <translation>分区纪元</translation>
    </message>
    <message>
        <source>partition metadata</source>
        <translation>分区元数据</translation>
    </message>
    <message>
        <source>partitions</source>
        <translation>分区</translation>
    </message>
    <message>
        <source>position {position:,} / {last:,}</source>
        <translation>位置 {position:,} / {last:,}</translation>
    </message>
    <message>
        <source>positions {first:,} to {last:,}</source>
        <translation>位置 {first:,} 至 {last:,}</translation>
    </message>
    <message>
        <source>possibly acknowledged</source>
        <translation>可能已确认</translation>
    </message>
    <message>
        <source>possibly lost, at most</source>
        <translation>可能丢失，至多</translation>
    </message>
    <message>
        <source>possibly-acknowledged</source>
        <translation>可能已确认</translation>
    </message>
    <message>
        <source>preferred</source>
        <translation>首选</translation>
    </message>
    <message>
        <source>printed</source>
        <translation>印出</translation>
    </message>
    <message>
        <source>printed in its lines</source>
        <translation>印在其行中</translation>
    </message>
    <message>
        <source>properties</source>
        <translation>属性文件</translation>
    </message>
    <message>
        <source>range, {where} to {end}</source>
        <translation>区间，{where} 至 {end}</translation>
    </message>
    <message>
        <source>ranges that evidence does not settle</source>
        <translation>证据未能定论的范围</translation>
    </message>
    <message>
        <source>rare, and not to be hit by accident</source>
        <translation>很少用，也不应误触</translation>
    </message>
    <message>
        <source>records</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>release</source>
        <translation>发行版</translation>
    </message>
    <message>
        <source>remembers of {follower}</source>
        <translation>记得 {follower} 的</translation>
    </message>
    <message>
        <source>removed from a log</source>
        <translation>从日志中删除</translation>
    </message>
    <message>
        <source>removed, only acks=1 or none told</source>
        <translation>已删除，仅 acks=1 或未应答</translation>
    </message>
    <message>
        <source>replica on broker {broker}</source>
        <translation>broker {broker} 上的副本</translation>
    </message>
    <message>
        <source>replicas not known</source>
        <translation>副本未知</translation>
    </message>
    <message>
        <source>replicas {replicas}</source>
        <translation>副本 {replicas}</translation>
    </message>
    <message>
        <source>reported</source>
        <translation>有报告</translation>
    </message>
    <message>
        <source>role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>same ms</source>
        <translation>同一毫秒</translation>
    </message>
    <message>
        <source>same step</source>
        <translation>同一步</translation>
    </message>
    <message>
        <source>same stretch</source>
        <translation>同一段</translation>
    </message>
    <message>
        <source>same time</source>
        <translation>同一时刻</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>segment</source>
        <translation>日志段</translation>
    </message>
    <message>
        <source>settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>settings, other programs&apos; logs, what is no log</source>
        <translation>设置、其他程序的日志、非日志</translation>
    </message>
    <message>
        <source>since the beginning</source>
        <translation>从一开始</translation>
    </message>
    <message>
        <source>something is open</source>
        <translation>已打开内容</translation>
    </message>
    <message>
        <source>something is open, and fewer than four runs</source>
        <translation>已打开内容，且少于四次运行</translation>
    </message>
    <message>
        <source>stale isr</source>
        <translation>过期的 ISR</translation>
    </message>
    <message>
        <source>stale leader</source>
        <translation>过期的领导者</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>启动中</translation>
    </message>
    <message>
        <source>stated</source>
        <translation>指定</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>step {done} of {steps}</source>
        <translation>步骤 {done} / {steps}</translation>
    </message>
    <message>
        <source>switches</source>
        <translation>开关</translation>
    </message>
    <message>
        <source>the network cuts {broker} from the controller</source>
        <translation>网络把 {broker} 与控制器隔开</translation>
    </message>
    <message>
        <source>the network cuts {broker} from the other brokers</source>
        <translation>网络把 {broker} 与其他 broker 隔开</translation>
    </message>
    <message>
        <source>the trace has several partitions</source>
        <translation>轨迹有多个分区</translation>
    </message>
    <message>
        <source>there is something to redo</source>
        <translation>有可重做的操作</translation>
    </message>
    <message>
        <source>there is something to undo</source>
        <translation>有可撤销的操作</translation>
    </message>
    <message>
        <source>time zone: {zone}</source>
        <translation>时区：{zone}</translation>
    </message>
    <message>
        <source>title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>truncation</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>unclean</source>
        <translation>不干净</translation>
    </message>
    <message>
        <source>unclean election</source>
        <translation>不干净的选举</translation>
    </message>
    <message>
        <source>uncommitted</source>
        <translation>未提交</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>unknown epoch</source>
        <translation>未知纪元</translation>
    </message>
    <message>
        <source>what is open was simulated</source>
        <translation>打开的内容是模拟的</translation>
    </message>
    <message>
        <source>with loss</source>
        <translation>有丢失</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>{added} was</source>
        <translation>已加 {added}</translation>
    </message>
    <message>
        <source>{broker} is elected</source>
        <translation>选举 {broker}</translation>
    </message>
    <message>
        <source>{broker} is frozen</source>
        <translation>{broker} 冻结</translation>
    </message>
    <message>
        <source>{broker} is killed</source>
        <translation>{broker} 被杀掉</translation>
    </message>
    <message>
        <source>{broker} is killed, and the controller fails over</source>
        <translation>{broker} 被杀掉，控制器同时切换</translation>
    </message>
    <message>
        <source>{broker} is stopped cleanly</source>
        <translation>{broker} 正常停止</translation>
    </message>
    <message>
        <source>{broker} starts</source>
        <translation>{broker} 启动</translation>
    </message>
    <message>
        <source>{count:,} data directories</source>
        <translation>{count:,} 个数据目录</translation>
    </message>
    <message>
        <source>{count:,} events</source>
        <translation>{count:,} 个事件</translation>
    </message>
    <message>
        <source>{count:,} events, {here:,} here</source>
        <translation>{count:,} 个事件，此处 {here:,} 个</translation>
    </message>
    <message>
        <source>{count:,} files</source>
        <translation>{count:,} 个文件</translation>
    </message>
    <message>
        <source>{count:,} files read</source>
        <translation>读取 {count:,} 个文件</translation>
    </message>
    <message>
        <source>{count:,} findings were made by a later version and are not shown</source>
        <translation>有 {count:,} 项发现由更新的版本写入，此处不显示</translation>
    </message>
    <message>
        <source>{count:,} gaps</source>
        <translation>{count:,} 处缺口</translation>
    </message>
    <message>
        <source>{count:,} lines</source>
        <translation>{count:,} 行</translation>
    </message>
    <message>
        <source>{count:,} lines not understood</source>
        <translation>{count:,} 行不理解</translation>
    </message>
    <message>
        <source>{count:,} logs</source>
        <translation>{count:,} 个日志</translation>
    </message>
    <message>
        <source>{count:,} notes were written by a later version and are not shown</source>
        <translation>有 {count:,} 条批注由更新的版本写入，此处不显示</translation>
    </message>
    <message>
        <source>{count:,} other files</source>
        <translation>其他 {count:,} 个文件</translation>
    </message>
    <message>
        <source>{count:,} {kind} records lost</source>
        <translation>丢失 {count:,} 条{kind}记录</translation>
    </message>
    <message>
        <source>{count} brokers</source>
        <translation>{count} 个 broker</translation>
    </message>
    <message>
        <source>{count} files, rotated</source>
        <translation>{count} 个文件，轮转</translation>
    </message>
    <message>
        <source>{count} flipped</source>
        <translation>已改 {count} 个</translation>
    </message>
    <message>
        <source>{count} found. </source>
        <translation>找到 {count} 项。</translation>
    </message>
    <message>
        <source>{count} more brokers with fewer findings</source>
        <translation>另有 {count} 个发现较少的 broker</translation>
    </message>
    <message>
        <source>{count} notes are not saved in a document yet.</source>
        <translation>有 {count} 条批注尚未保存到文档中。</translation>
    </message>
    <message>
        <source>{count} of at most {most}</source>
        <translation>{count}，最多 {most}</translation>
    </message>
    <message>
        <source>{count} of {every}</source>
        <translation>{every} 中的 {count}</translation>
    </message>
    <message>
        <source>{count} other kinds</source>
        <translation>其他 {count} 种</translation>
    </message>
    <message>
        <source>{count} replicas</source>
        <translation>{count} 个副本</translation>
    </message>
    <message>
        <source>{count}, worst first</source>
        <translation>{count}，最严重的在前</translation>
    </message>
    <message>
        <source>{count}, {faults} damaged</source>
        <translation>{count}，{faults} 个损坏</translation>
    </message>
    <message>
        <source>{era} with {switches}</source>
        <translation>{era}，{switches}</translation>
    </message>
    <message>
        <source>{events:,} events</source>
        <translation>{events:,} 个事件</translation>
    </message>
    <message>
        <source>{files}, {events}</source>
        <translation>{files}，{events}</translation>
    </message>
    <message>
        <source>{first} – {last}, {span}</source>
        <translation>{first} – {last}，{span}</translation>
    </message>
    <message>
        <source>{forms}. Enter goes there, Esc goes back</source>
        <translation>{forms}。Enter 前往，Esc 返回</translation>
    </message>
    <message>
        <source>{kafka}, times {zones}</source>
        <translation>{kafka}，时间 {zones}</translation>
    </message>
    <message>
        <source>{leaders} leaders, {marks} marks</source>
        <translation>{leaders} 个领导者，{marks} 个标记</translation>
    </message>
    <message>
        <source>{leader} of {follower}</source>
        <translation>{leader} 对 {follower}</translation>
    </message>
    <message>
        <source>{logs} of no known broker: name it in the column Broker.</source>
        <translation>{logs}不知属于哪个 broker：请在 Broker 列中填写。</translation>
    </message>
    <message>
        <source>{lost} of {every:,}</source>
        <translation>{lost} / {every:,}</translation>
    </message>
    <message>
        <source>{lo} to {hi}</source>
        <translation>{lo} 至 {hi}</translation>
    </message>
    <message>
        <source>{more}↑ ↓ choose, Enter does it, Esc goes back</source>
        <translation>{more}↑ ↓ 选择，Enter 执行，Esc 返回</translation>
    </message>
    <message>
        <source>{name} at {where}</source>
        <translation>{name}，{where}</translation>
    </message>
    <message>
        <source>{name} {now}, before {before}</source>
        <translation>{name} {now}，之前 {before}</translation>
    </message>
    <message>
        <source>{name}, written last at {when}. Tidegauge ended before they were saved in a document.</source>
        <translation>{name}，最后写入于 {when}。Tidegauge 在它们保存到文档之前就结束了。</translation>
    </message>
    <message>
        <source>{name}, {width} wide</source>
        <translation>{name}，宽 {width}</translation>
    </message>
    <message>
        <source>{name}: what was found</source>
        <translation>{name}：找到的内容</translation>
    </message>
    <message>
        <source>{origin}, shown at {zone}</source>
        <translation>{origin}，以 {zone} 显示</translation>
    </message>
    <message>
        <source>{owner}: {text} since the beginning. No event changed it.</source>
        <translation>{owner}：{text}，从一开始就是。没有事件改变过它。</translation>
    </message>
    <message>
        <source>{partition}, {broker}: {role}</source>
        <translation>{partition}，{broker}：{role}</translation>
    </message>
    <message>
        <source>{place:,} of {every:,}</source>
        <translation>{place:,} / {every:,}</translation>
    </message>
    <message>
        <source>{place:,} of {hits:,}</source>
        <translation>{place:,} / {hits:,}</translation>
    </message>
    <message>
        <source>{place} of {size}</source>
        <translation>{place} / {size}</translation>
    </message>
    <message>
        <source>{read:,} of {found:,} files read</source>
        <translation>读取 {read:,} / {found:,} 个文件</translation>
    </message>
    <message>
        <source>{role}, {member}.</source>
        <translation>{role}，{member}。</translation>
    </message>
    <message>
        <source>{runs} runs</source>
        <translation>{runs} 次运行</translation>
    </message>
    <message>
        <source>{runs} runs of one script, {anchors} steps</source>
        <translation>同一脚本的 {runs} 次运行，{anchors} 步</translation>
    </message>
    <message>
        <source>{run}: {title}</source>
        <translation>{run}：{title}</translation>
    </message>
    <message>
        <source>{scenario}, step {step}</source>
        <translation>{scenario}，第 {step} 步</translation>
    </message>
    <message>
        <source>{seen} of broker time</source>
        <translation>broker 时间的 {seen}</translation>
    </message>
    <message>
        <source>{shown:,} of {every:,}{within}</source>
        <translation>{shown:,} / {every:,}{within}</translation>
    </message>
    <message>
        <source>{steps} steps, {brokers} brokers</source>
        <translation>{steps} 步，{brokers} 个 broker</translation>
    </message>
    <message>
        <source>{text} ({key}); Shift+{key}: back</source>
        <translation>{text} ({key})；Shift+{key}：向前</translation>
    </message>
    <message>
        <source>{title}: {rule}</source>
        <translation>{title}：{rule}</translation>
    </message>
    <message>
        <source>{total:,} found</source>
        <translation>找到 {total:,} 个</translation>
    </message>
    <message>
        <source>{typed!r} is no place</source>
        <translation>{typed!r} 不是位置</translation>
    </message>
    <message>
        <source>{typed!r} is no time</source>
        <translation>{typed!r} 不是时间</translation>
    </message>
    <message>
        <source>{who} joined {count}×</source>
        <translation>{who} 加入 {count} 次</translation>
    </message>
    <message>
        <source>{who} left {count}×</source>
        <translation>{who} 离开 {count} 次</translation>
    </message>
    <message>
        <source>{words}: {place} of {size}</source>
        <translation>{words}：第 {place} 个，共 {size} 个</translation>
    </message>
    <message>
        <source>← → step    L next loss    T next cut    X next difference    N note    ? all keys</source>
        <translation>← → 步进    L 下一处丢失    T 下一次截断    X 下一处差异    N 批注    ? 所有按键</translation>
    </message>
</context>
</TS>
